# SPDX-License-Identifier: Apache-2.0
# A native run takes steps in an order, which executions of C11 do not have.
"$HEDDLE" -q -p unreach-call --memory-model c11 --native "$PWD/none" ../../examples/lost_update.c
echo "exit $?"
