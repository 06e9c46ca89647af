#include "textflag.h"

// The numbers added before a value is cut off, so that it is positive and rounded, and what is subtracted after that.
DATA raise<>+0(SB)/4, $8191.0
GLOBL raise<>(SB), RODATA, $4
DATA half<>+0(SB)/4, $0.5
GLOBL half<>(SB), RODATA, $4
DATA lower<>+0(SB)/4, $8191
GLOBL lower<>(SB), RODATA, $4

// func weightedAVX2(out *float32, sums *int32, scales, bias *float32, n int, scale float32)
TEXT ·weightedAVX2(SB), NOSPLIT, $0-44
	MOVQ out+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ scales+16(FP), DX
	MOVQ bias+24(FP), R8
	MOVQ n+32(FP), CX
	VBROADCASTSS scale+40(FP), Y0
	XORQ AX, AX

loop:
	VCVTDQ2PS (SI)(AX*4), Y1
	VMULPS (DX)(AX*4), Y0, Y2
	VMULPS Y2, Y1, Y1
	VADDPS (R8)(AX*4), Y1, Y1
	VMOVUPS Y1, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  loop

	VZEROUPPER
	RET

// func peakAVX2(from *float32, n int) uint32
TEXT ·peakAVX2(SB), NOSPLIT, $0-20
	MOVQ from+0(FP), SI
	MOVQ n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1              // all bits but the sign
	VPXOR Y0, Y0, Y0
	XORQ AX, AX

loop:
	VPAND (SI)(AX*4), Y1, Y2
	VPMAXUD Y2, Y0, Y0
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  loop

	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+16(FP)
	VZEROUPPER
	RET

// func shortenAVX2(to *int16, from *float32, n int, scale float32)
TEXT ·shortenAVX2(SB), NOSPLIT, $0-28
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS scale+24(FP), Y0
	VBROADCASTSS raise<>(SB), Y1
	VBROADCASTSS half<>(SB), Y2
	VPBROADCASTD lower<>(SB), Y3
	XORQ AX, AX

loop:
	VMULPS (SI)(AX*4), Y0, Y4
	VMULPS 32(SI)(AX*4), Y0, Y5
	VADDPS Y1, Y4, Y4
	VADDPS Y1, Y5, Y5
	VADDPS Y2, Y4, Y4
	VADDPS Y2, Y5, Y5
	VCVTTPS2DQ Y4, Y4
	VCVTTPS2DQ Y5, Y5
	VPSUBD Y3, Y4, Y4
	VPSUBD Y3, Y5, Y5
	VPACKSSDW Y5, Y4, Y4           // halves of both in turns
	VPERMQ $0xD8, Y4, Y4
	VMOVDQU Y4, (DI)(AX*2)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  loop

	VZEROUPPER
	RET

// func fitAVX2(weights, query, keys *float32, n, size, stride int, scale float32)
//
// Four times eight products are added up for each key at a time.
TEXT ·fitAVX2(SB), NOSPLIT, $0-52
	MOVQ weights+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ keys+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ size+32(FP), R8
	MOVQ stride+40(FP), R9
	SHLQ $2, R9                    // values to bytes
	VMOVSS scale+48(FP), X8

key:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ AX, AX

loop:
	VMOVUPS (DX)(AX*4), Y4
	VMOVUPS 32(DX)(AX*4), Y5
	VMOVUPS 64(DX)(AX*4), Y6
	VMOVUPS 96(DX)(AX*4), Y7
	VMULPS (SI)(AX*4), Y4, Y4
	VMULPS 32(SI)(AX*4), Y5, Y5
	VMULPS 64(SI)(AX*4), Y6, Y6
	VMULPS 96(SI)(AX*4), Y7, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ $32, AX
	CMPQ AX, R8
	JLT  loop

	VADDPS Y1, Y0, Y0
	VADDPS Y3, Y2, Y2
	VADDPS Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VMULSS X8, X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ R9, DX
	DECQ CX
	JNE  key

	VZEROUPPER
	RET

// func mixAVX2(out, weights, values *float32, n, size, stride int)
//
// Four times eight values of out are made of all rows before the next.
TEXT ·mixAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ weights+8(FP), SI
	MOVQ values+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ size+32(FP), R8
	MOVQ stride+40(FP), R9
	SHLQ $2, R9                    // values to bytes

part:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	MOVQ DX, R10
	XORQ AX, AX

loop:
	VBROADCASTSS (SI)(AX*4), Y8
	VMULPS (R10), Y8, Y4
	VMULPS 32(R10), Y8, Y5
	VMULPS 64(R10), Y8, Y6
	VMULPS 96(R10), Y8, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ R9, R10
	INCQ AX
	CMPQ AX, CX
	JLT  loop

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, DX
	SUBQ $32, R8
	JNE  part

	VZEROUPPER
	RET
