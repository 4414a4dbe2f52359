# SPDX-License-Identifier: Apache-2.0
# --check-witness on small right and false witnesses (tests/witness/claims.tsv).
../witness/claims --heddle "$HEDDLE"
