#!/bin/sh
# Whether two builds of the command behave the same: see same.py beside it.
exec python3 "$(dirname "$0")/same.py" "$@"
