"$HEDDLE" --help
"$HEDDLE" --version
