#include "@ADA@"
