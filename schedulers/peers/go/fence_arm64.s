#include "textflag.h"

// func fence()
TEXT ·fence(SB), NOSPLIT, $0-0
	ISB $15
	RET
