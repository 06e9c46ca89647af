#include "textflag.h"

// HALF makes eight sums of sixteen.
#define HALF(z, y, spare) \
	VEXTRACTI64X4 $1, z, spare \
	VPADDD spare, y, y

// FOUR makes four sums, in x, of four times eight; x is the lower half of a.
#define FOUR(a, b, c, d, x, spare) \
	VPHADDD b, a, a \
	VPHADDD d, c, c \
	VPHADDD c, a, a \
	VEXTRACTI128 $1, a, spare \
	VPADDD spare, x, x

// EIGHT makes eight sums, at a place, of eight times sixteen.
#define EIGHT(to) \
	HALF(Z0, Y0, Y9) \
	HALF(Z1, Y1, Y10) \
	HALF(Z2, Y2, Y11) \
	HALF(Z3, Y3, Y12) \
	HALF(Z4, Y4, Y9) \
	HALF(Z5, Y5, Y10) \
	HALF(Z6, Y6, Y11) \
	HALF(Z7, Y7, Y12) \
	FOUR(Y0, Y1, Y2, Y3, X0, X1) \
	VMOVDQU X0, (to) \
	FOUR(Y4, Y5, Y6, Y7, X4, X5) \
	VMOVDQU X4, 16(to)

// WIDEN has 32 bytes of eight rows in Z9 to Z16, with 16 bits for each.
#define WIDEN \
	VPMOVSXBW (SI), Z9 \
	VPMOVSXBW (SI)(DX*1), Z10 \
	VPMOVSXBW (SI)(DX*2), Z11 \
	VPMOVSXBW (R10), Z12 \
	VPMOVSXBW (SI)(DX*4), Z13 \
	VPMOVSXBW (R10)(DX*2), Z14 \
	VPMOVSXBW (R11), Z15 \
	VPMOVSXBW (R10)(DX*4), Z16

// NEXT goes on by 32 bytes.
#define NEXT \
	ADDQ $32, SI \
	ADDQ $32, R10 \
	ADDQ $32, R11 \
	ADDQ $32, AX

// ROWS finds the fourth and the seventh row, and the next eight.
#define ROWS \
	LEAQ (SI)(DX*2), R10 \
	ADDQ DX, R10 \
	LEAQ (R10)(DX*2), R11 \
	ADDQ DX, R11 \
	LEAQ (SI)(DX*8), R12 \
	XORQ AX, AX

// AHEAD fetches, of eight rows without gaps, as much of the next eight as was read of these: a matrix is larger than the
// caches near the processor. What lies behind the last row is not looked at.
#define AHEAD \
	PREFETCHT0 (R12)(AX*8) \
	PREFETCHT0 64(R12)(AX*8) \
	PREFETCHT0 128(R12)(AX*8) \
	PREFETCHT0 192(R12)(AX*8)

// NONE sets the sums of eight rows to nothing, and NONE2 those for a second row of values.
#define NONE \
	VPXORD Z0, Z0, Z0 \
	VPXORD Z1, Z1, Z1 \
	VPXORD Z2, Z2, Z2 \
	VPXORD Z3, Z3, Z3 \
	VPXORD Z4, Z4, Z4 \
	VPXORD Z5, Z5, Z5 \
	VPXORD Z6, Z6, Z6 \
	VPXORD Z7, Z7, Z7

#define NONE2 \
	VPXORD Z18, Z18, Z18 \
	VPXORD Z19, Z19, Z19 \
	VPXORD Z20, Z20, Z20 \
	VPXORD Z21, Z21, Z21 \
	VPXORD Z22, Z22, Z22 \
	VPXORD Z23, Z23, Z23 \
	VPXORD Z24, Z24, Z24 \
	VPXORD Z25, Z25, Z25

// EIGHT2 makes the sums for the second row of values.
#define EIGHT2(to) \
	VMOVDQA64 Z18, Z0 \
	VMOVDQA64 Z19, Z1 \
	VMOVDQA64 Z20, Z2 \
	VMOVDQA64 Z21, Z3 \
	VMOVDQA64 Z22, Z4 \
	VMOVDQA64 Z23, Z5 \
	VMOVDQA64 Z24, Z6 \
	VMOVDQA64 Z25, Z7 \
	EIGHT(to)

// BOTH adds the products of a row with two rows of values to their sums.
#define BOTH(row, sum, more) \
	VPMADDWD Z8, row, Z26 \
	VPMADDWD Z17, row, Z27 \
	VPADDD Z26, sum, sum \
	VPADDD Z27, more, more

// ARGUMENTS2, LOAD2 and STORE2 are what the functions for two rows of values have in common: their arguments, with the blocks as
// bytes of a row; what a step of eight rows begins with; and the sums of eight rows when they are done.
#define ARGUMENTS2 \
	MOVQ out+0(FP), DI \
	MOVQ more+8(FP), R13 \
	MOVQ rows+16(FP), SI \
	MOVQ n+24(FP), CX \
	MOVQ stride+32(FP), DX \
	MOVQ x+40(FP), R8 \
	MOVQ y+48(FP), BX \
	MOVQ blocks+56(FP), R9 \
	SHLQ $5, R9

#define LOAD2 \
	VMOVDQU32 (R8)(AX*2), Z8 \
	VMOVDQU32 (BX)(AX*2), Z17 \
	AHEAD \
	WIDEN

#define STORE2 \
	EIGHT(DI) \
	EIGHT2(R13) \
	ADDQ $32, DI \
	ADDQ $32, R13 \
	MOVQ R12, SI \
	SUBQ $8, CX

// func dotsAVX2(out *int32, rows *byte, n, stride int, x *int16, blocks int)
//
// Four rows at a time share the values that are loaded; what remains goes one by one. A block is 16 bytes of a row, widened
// to 16 bits, multiplied with 16 values and added in pairs to eight sums of 32 bits.
TEXT ·dotsAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), DX
	MOVQ x+32(FP), R8
	MOVQ blocks+40(FP), R9
	SHLQ $4, R9                    // blocks to bytes of a row

four:
	CMPQ CX, $4
	JLT  one
	LEAQ (SI)(DX*1), R10
	LEAQ (R10)(DX*1), R11
	LEAQ (R11)(DX*1), R12
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ AX, AX

fourLoop:
	VMOVDQU (R8)(AX*2), Y4
	VPMOVSXBW (SI)(AX*1), Y5
	VPMOVSXBW (R10)(AX*1), Y6
	VPMOVSXBW (R11)(AX*1), Y7
	VPMOVSXBW (R12)(AX*1), Y8
	VPMADDWD Y4, Y5, Y5
	VPMADDWD Y4, Y6, Y6
	VPMADDWD Y4, Y7, Y7
	VPMADDWD Y4, Y8, Y8
	VPADDD Y5, Y0, Y0
	VPADDD Y6, Y1, Y1
	VPADDD Y7, Y2, Y2
	VPADDD Y8, Y3, Y3
	ADDQ $16, AX
	CMPQ AX, R9
	JLT  fourLoop

	FOUR(Y0, Y1, Y2, Y3, X0, X1)
	VMOVDQU X0, (DI)
	ADDQ $16, DI
	LEAQ (R12)(DX*1), SI
	SUBQ $4, CX
	JMP  four

one:
	TESTQ CX, CX
	JEQ  done
	VPXOR Y0, Y0, Y0
	XORQ AX, AX

oneLoop:
	VMOVDQU (R8)(AX*2), Y4
	VPMOVSXBW (SI)(AX*1), Y5
	VPMADDWD Y4, Y5, Y5
	VPADDD Y5, Y0, Y0
	ADDQ $16, AX
	CMPQ AX, R9
	JLT  oneLoop

	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPHADDD X0, X0, X0
	VPHADDD X0, X0, X0
	VMOVD X0, (DI)
	ADDQ $4, DI
	ADDQ DX, SI
	DECQ CX
	JMP  one

done:
	VZEROUPPER
	RET

// func dotsVNNI(out *int32, rows *byte, n, stride int, x *int16, blocks int)
//
// The same for eight rows at a time, with blocks of 32 bytes and the multiplication and the sums in one instruction.
TEXT ·dotsVNNI(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), DX
	MOVQ x+32(FP), R8
	MOVQ blocks+40(FP), R9
	SHLQ $5, R9                    // blocks to bytes of a row

eight:
	ROWS
	NONE

eightLoop:
	VMOVDQU32 (R8)(AX*2), Z8
	WIDEN
	VPDPWSSD Z8, Z9, Z0
	VPDPWSSD Z8, Z10, Z1
	VPDPWSSD Z8, Z11, Z2
	VPDPWSSD Z8, Z12, Z3
	VPDPWSSD Z8, Z13, Z4
	VPDPWSSD Z8, Z14, Z5
	VPDPWSSD Z8, Z15, Z6
	VPDPWSSD Z8, Z16, Z7
	NEXT
	CMPQ AX, R9
	JLT  eightLoop

	EIGHT(DI)
	ADDQ $32, DI
	MOVQ R12, SI
	SUBQ $8, CX
	JNE  eight

	VZEROUPPER
	RET

// func dotsVNNI2(out, more *int32, rows *byte, n, stride int, x, y *int16, blocks int)
//
// The same for two rows of values: each byte is widened once for both.
TEXT ·dotsVNNI2(SB), NOSPLIT, $0-64
	ARGUMENTS2

eight:
	ROWS
	NONE
	NONE2

eightLoop:
	LOAD2
	VPDPWSSD Z8, Z9, Z0
	VPDPWSSD Z17, Z9, Z18
	VPDPWSSD Z8, Z10, Z1
	VPDPWSSD Z17, Z10, Z19
	VPDPWSSD Z8, Z11, Z2
	VPDPWSSD Z17, Z11, Z20
	VPDPWSSD Z8, Z12, Z3
	VPDPWSSD Z17, Z12, Z21
	VPDPWSSD Z8, Z13, Z4
	VPDPWSSD Z17, Z13, Z22
	VPDPWSSD Z8, Z14, Z5
	VPDPWSSD Z17, Z14, Z23
	VPDPWSSD Z8, Z15, Z6
	VPDPWSSD Z17, Z15, Z24
	VPDPWSSD Z8, Z16, Z7
	VPDPWSSD Z17, Z16, Z25
	NEXT
	CMPQ AX, R9
	JLT  eightLoop

	STORE2
	JNE  eight

	VZEROUPPER
	RET

// func dotsBW2(out, more *int32, rows *byte, n, stride int, x, y *int16, blocks int)
//
// The same where there is no such instruction.
TEXT ·dotsBW2(SB), NOSPLIT, $0-64
	ARGUMENTS2

eight:
	ROWS
	NONE
	NONE2

eightLoop:
	LOAD2
	BOTH(Z9, Z0, Z18)
	BOTH(Z10, Z1, Z19)
	BOTH(Z11, Z2, Z20)
	BOTH(Z12, Z3, Z21)
	BOTH(Z13, Z4, Z22)
	BOTH(Z14, Z5, Z23)
	BOTH(Z15, Z6, Z24)
	BOTH(Z16, Z7, Z25)
	NEXT
	CMPQ AX, R9
	JLT  eightLoop

	STORE2
	JNE  eight

	VZEROUPPER
	RET
