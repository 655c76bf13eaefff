// RETURNS_BY_JUMP: functions of the runtime that may suspend their lane.
#pragma once

// A lane that was suspended returns from a call that another lane's calls have pushed out of the
// processor's return predictor. So that prediction is always wrong. Prediction of jumps is mostly
// right. So such functions return by a jump.
#define RETURNS_BY_JUMP [[gnu::function_return("thunk-extern")]]
