package record

import "strings"

// digitAt returns the value of a digit, and of a letter as UPS and OnTrac count them: A is 2, B is 3, I is 0 again.
func digitAt(s string, i int) int {
	if isDigit(s[i]) {
		return int(s[i] - '0')
	}
	return (int(s[i]) - 3) % 10
}

// upsCheck is the check of UPS: the signs after 1Z, every second one doubled, and the check digit make a multiple of
// ten.
func upsCheck(s string) bool { return doubled(s[2:]) }

// ontracCheck is the same with one letter before the digits, which counts as 4 or as 5.
func ontracCheck(s string) bool { return doubled(s) || doubled(s[1:]) }

func doubled(s string) bool {
	sum := 0
	for i := range len(s) - 1 {
		sum += digitAt(s, i) * (1 + i%2)
	}
	return (sum+digitAt(s, len(s)-1))%10 == 0
}

// gs1Check is the check of GS1: from the right, digits count three times and once in turn.
func gs1Check(s string) bool {
	sum := 0
	for i := len(s) - 2; i >= 0; i-- {
		weight := 3
		if (len(s)-2-i)%2 == 1 {
			weight = 1
		}
		sum += weight * int(s[i]-'0')
	}
	return (sum+int(s[len(s)-1]-'0'))%10 == 0
}

// lastFifteen is GS1's check over the last fifteen digits, which are the number of a FedEx Ground parcel.
func lastFifteen(s string) bool { return gs1Check(s[len(s)-15:]) }

// fedexCheck is the check of FedEx Express: weights 1, 3, 7 from the right, modulo 11.
func fedexCheck(s string) bool {
	sum := 0
	for i := len(s) - 2; i >= 0; i-- {
		sum += [3]int{1, 3, 7}[(len(s)-2-i)%3] * int(s[i]-'0')
	}
	return sum%11%10 == int(s[len(s)-1]-'0')
}

// lastFourteen is the check of FedEx Express over the last fourteen digits of what its labels carry.
func lastFourteen(s string) bool { return fedexCheck(s[len(s)-14:]) }

// mod7Check is the check of DHL Express and of the Japanese carriers: the number before the last digit, modulo seven.
func mod7Check(s string) bool {
	rest := 0
	for i := range len(s) - 1 {
		rest = (rest*10 + int(s[i]-'0')) % 7
	}
	return rest == int(s[len(s)-1]-'0')
}

// identCheck is the check of Deutsche Post: weights 4 and 9 in turn, modulo ten.
func identCheck(s string) bool {
	sum := 0
	for i := range len(s) - 1 {
		sum += [2]int{4, 9}[i%2] * int(s[i]-'0')
	}
	return (sum+int(s[len(s)-1]-'0'))%10 == 0
}

// s10Check is the check of the Universal Postal Union: two letters, eight digits, their check digit, the country.
func s10Check(s string) bool {
	sum := 0
	for i, weight := range [8]int{8, 6, 4, 2, 3, 5, 9, 7} {
		sum += weight * int(s[2+i]-'0')
	}
	check := 11 - sum%11
	switch check {
	case 10:
		check = 0
	case 11:
		check = 5
	}
	return check == int(s[10]-'0')
}

// luhnCheck is the check of credit cards, which Purolator took.
func luhnCheck(s string) bool {
	sum := 0
	for i := range len(s) {
		n := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			n = n*2/10 + n*2%10
		}
		sum += n
	}
	return sum%10 == 0
}

// mod37Check is the check of ISO 7064 with 36 signs, which DPD prints after its numbers.
func mod37Check(s string) bool {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	product := 36
	for i := range len(s) - 1 {
		sum := (product + strings.IndexByte(alphabet, s[i])) % 36
		if sum == 0 {
			sum = 36
		}
		product = sum * 2 % 37
	}
	return (product+strings.IndexByte(alphabet, s[len(s)-1]))%36 == 1
}
