# The pointer is null only if a creation fails, which it does not by default. So SAFE names no undefined behaviour.
"$HEDDLE" -p no-data-race --no-static-race-check creation_succeeds.c | sed 's/ *[0-9.]* s$//'
