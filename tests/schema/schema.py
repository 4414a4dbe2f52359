# SPDX-License-Identifier: Apache-2.0
"""Does a value fit a schema? A small part of JSON Schema: type, enum, const, properties, required, additionalProperties, items, minItems,
maxItems, minimum, pattern, anyOf, if/then, $ref to #/definitions. A keyword that is not of these is an error of the schema.

usage: schema.py SCHEMA FILE…   (JSON, or YAML if it ends in .yml)"""
import json, os, re, sys

TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'number': (int, float), 'integer': int}
KNOWN = {'type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'minimum', 'pattern', 'anyOf', 'if',
         'then', '$ref', 'definitions', 'description', '$comment'}


class Misfit(Exception):
    pass


def has_type(value, name):
    if isinstance(value, bool) and name != 'boolean':
        return False
    return isinstance(value, TYPES[name])


def fits(value, schema, root):
    try:
        check(value, schema, root, '')
        return True
    except Misfit:
        return False


def check_object(value, schema, root, where):
    for name in schema.get('required', []):
        if name not in value:
            raise Misfit('%s: no %s' % (where or '/', name))
    known, more = schema.get('properties', {}), schema.get('additionalProperties', True)
    for name, part in value.items():
        if name in known:
            check(part, known[name], root, where + '/' + str(name))
        elif more is False:
            raise Misfit('%s: %s is not known' % (where or '/', name))
        elif isinstance(more, dict):
            check(part, more, root, where + '/' + str(name))


def check_array(value, schema, root, where):
    if len(value) < schema.get('minItems', 0) or len(value) > schema.get('maxItems', len(value)):
        raise Misfit('%s: %d items' % (where, len(value)))
    for i, part in enumerate(value):
        check(part, schema.get('items', {}), root, '%s/%d' % (where, i))


def check(value, schema, root, where=''):
    """Raises Misfit."""
    unknown = set(schema) - KNOWN
    assert not unknown, 'the schema has %s' % unknown
    if '$ref' in schema:
        return check(value, root['definitions'][schema['$ref'].split('/')[-1]], root, where)
    types = schema.get('type', [])
    types = [types] if isinstance(types, str) else types
    if types and not any(has_type(value, t) for t in types):
        raise Misfit('%s: not of type %s: %.80r' % (where or '/', types, value))
    if 'enum' in schema and value not in schema['enum'] or 'const' in schema and value != schema['const']:
        raise Misfit('%s: %.80r' % (where, value))
    if 'minimum' in schema and value < schema['minimum']:
        raise Misfit('%s: %r is too small' % (where, value))
    if 'pattern' in schema and not re.search(schema['pattern'], value):
        raise Misfit('%s: %.80r does not match %s' % (where, value, schema['pattern']))
    if 'anyOf' in schema and not any(fits(value, s, root) for s in schema['anyOf']):
        raise Misfit('%s: fits nothing of anyOf: %.80r' % (where, value))
    if 'if' in schema and fits(value, schema['if'], root):
        check(value, schema['then'], root, where)
    if isinstance(value, dict):
        check_object(value, schema, root, where)
    if isinstance(value, list):
        check_array(value, schema, root, where)


def load(name):
    return json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.json')))


def validate(name, value):
    """Raises Misfit. name: of a schema beside this file."""
    schema = load(name)
    check(value, schema, schema)


def main():
    for path in sys.argv[2:]:
        if path.endswith(('.yml', '.yaml')):
            import yaml
            value = yaml.load(open(path), yaml.BaseLoader if sys.argv[1] == 'witness-text' else yaml.SafeLoader)
        else:
            value = json.load(open(path))
        try:
            validate(sys.argv[1], value)
        except Misfit as e:
            sys.exit('%s: %s' % (path, e))


if __name__ == '__main__':
    main()
