package record

import "testing"

func TestMailsAsia(t *testing.T) {
	for _, c := range []mailCase{
		{"価格", Mail{From: "さくら文具 <order@sakura.example>", Subject: "ご注文確認", Text: "ご注文番号：S20260314-77\n万年筆 セット  数量：1 " +
			" 価格：9,800円\nインク瓶  数量：2  価格：1,200円\n合計金額：12,200円"},
			`order S20260314-77 12200 JPY "さくら文具" - [1×万年筆 セット 9800; 2×インク瓶 1200]`},
		{"goods on one line with labels", Mail{From: "한빛서점 <order@hanbit.example>", Subject: "주문이 완료되었습니다",
			Text: "주문번호: 20260313-004821\n상품명: 파이썬 입문 / 수량: 1개 / 금액: 27,000원\n총 결제금액: 27,000원"},
			`order 20260313-004821 27000 KRW "한빛서점" - [1×파이썬 입문 27000]`},
		{"注文", Mail{From: "楽天市場 <order@rakuten.co.jp>", Subject: "【楽天市場】注文内容ご確認（自動配信メール）", Text: `
この度はご注文いただき、誠にありがとうございます。
[受注番号] 123456-20260313-00012345
[日時]     2026-03-13 21:15:22
[注文者]   山田太郎 様
[支払方法] クレジットカード
[商品]
ワイヤレスイヤホン
価格  5,980(円) x 1(個) = 5,980(円)
小計     5,980(円)
送料     0(円)
合計     5,980(円)
`}, `order 123456-20260313-00012345 5980 JPY "楽天市場" 2026-03-13 []`},
		{"注文の確認", Mail{From: "Amazon.co.jp <auto-confirm@amazon.co.jp>",
			Subject: "Amazon.co.jpでのご注文250-1234567-1234567", Text: `
ご注文ありがとうございます。
注文番号： 250-1234567-1234567
注文日： 2026年3月13日
お届け予定日： 3月16日 月曜日
注文合計： ￥3,480
`}, `order 250-1234567-1234567 3480 JPY "Amazon.co.jp" 2026-03-13 []`},
		{"発送", Mail{From: "ヨドバシカメラ <thanks_gochuumon@yodobashi.com>", Subject: "商品発送のお知らせ", Text: `
ご注文の商品を発送いたしました。
ご注文番号：1234567890
配送業者：ヤマト運輸
お問い合わせ番号：1234-5678-9012
お届け予定日：2026年3月15日
`}, `order 1234567890 - - "ヨドバシカメラ" - []
shipping 123456789012 "Yamato" shipped 2026-03-15 -`},
		{"領収書", Mail{From: "タクシー <receipt@taxi.example.jp>", Subject: "領収書", Text: `
ご利用ありがとうございました。
ご利用日：2026年3月12日
ご利用金額：2,340円
お支払い方法：Visa
`}, `receipt 2340 JPY "タクシー" 2026-03-12 "Visa" -`},
		{"予約", Mail{From: "ホットペッパー <reserve@hotpepper.jp>", Subject: "ご予約が確定しました", Text: `
ご予約ありがとうございます。
予約日時：2026年3月21日（土）午後7時30分
店舗：居酒屋さくら
`}, `calendar 2026-03-21 19:30 - - "ご予約が確定しました" "居酒屋さくら" -`},
		{"订单", Mail{From: "京东 <service@jd.com>", Subject: "订单确认", Text: `
尊敬的用户，您好！感谢您的订购。
订单编号：298765432100
下单时间：2026年3月13日 20:11
商品总额：￥1,299.00
运费：￥0.00
应付金额：￥1,299.00
支付方式：微信支付
`}, `order 298765432100 1299.00 CNY "京东" 2026-03-13 []`},
		{"快递", Mail{From: "顺丰速运 <noreply@sf-express.com>", Subject: "您的快件正在派送", Text: `
您的快件正在派送中，运单号：SF1234567890123，预计今天送达。
`}, `shipping SF1234567890123 "SF Express" out_for_delivery 2026-03-14 -`},
		{"訂單", Mail{From: "PChome <service@pchome.com.tw>", Subject: "訂單確認通知", Text: `
感謝您的訂購！
訂單編號：20260313123456
訂購日期：2026/03/13
總金額：NT$1,280
付款方式：信用卡
`}, `order 20260313123456 1280 TWD "PChome" 2026-03-13 []`},
		{"会议", Mail{From: "王明 <wang@example.cn>", Subject: "会议邀请：项目讨论", Text: `
您好，邀请您参加会议。
会议时间：2026年3月20日 下午2点30分
会议地点：三楼会议室
`}, `calendar 2026-03-20 14:30 - - "会议邀请：项目讨论" "三楼会议室" -`},
		{"주문", Mail{From: "쿠팡 <no_reply@coupang.com>", Subject: "[쿠팡] 주문이 완료되었습니다", Text: `
고객님, 주문해 주셔서 감사합니다.
주문번호: 12000123456789
주문일시: 2026년 3월 13일 21:10
무선 이어폰
수량: 1
59,900원
총 결제금액: 59,900원
결제수단: 신용카드
`}, `order 12000123456789 59900 KRW "쿠팡" 2026-03-13 [1×무선 이어폰 59900]`},
		{"배송", Mail{From: "CJ대한통운 <noreply@cjlogistics.com>", Subject: "오늘 배송 예정입니다", Text: `
고객님의 상품이 배달 출발하였습니다.
운송장번호: 123456789012
`}, `shipping 123456789012 "CJ Logistics" out_for_delivery 2026-03-14 -`},
		{"예약", Mail{From: "네이버 예약 <noreply@naver.com>", Subject: "예약이 확정되었습니다", Text: `
예약일시: 2026년 3월 22일 오후 3시
장소: 헤어샵 강남점
`}, `calendar 2026-03-22 15:00 - - "예약이 확정되었습니다" "헤어샵 강남점" -`},
		{"pesanan", Mail{From: "Tokopedia <noreply@tokopedia.com>", Subject: "Konfirmasi Pesanan", Text: `
Terima kasih atas pesanan Anda!
Nomor Pesanan: INV/20260313/MPL/1234567
Total Pembayaran: Rp 249.000
Metode Pembayaran: GoPay
`}, `order INV/20260313/MPL/1234567 249000 IDR "Tokopedia" - []`},
		{"đơn hàng", Mail{From: "Tiki <noreply@tiki.vn>", Subject: "Xác nhận đơn hàng #123456789", Text: `
Cảm ơn bạn đã đặt hàng tại Tiki!
Mã đơn hàng: 123456789
Ngày đặt hàng: 13/03/2026
Tổng cộng: 1.250.000 ₫
`}, `order 123456789 1250000 VND "Tiki" 2026-03-13 []`},
		{"คำสั่งซื้อ", Mail{From: "Shop <noreply@shop.co.th>", Subject: "ยืนยันคำสั่งซื้อ", Text: `
ขอบคุณสำหรับคำสั่งซื้อ
หมายเลขคำสั่งซื้อ: 240313ABCDEF
วันที่สั่งซื้อ: 13 มีนาคม 2569
ยอดรวมทั้งหมด: ฿1,290.00
`}, `order 240313ABCDEF 1290.00 THB "Shop" 2026-03-13 []`},
		{"طلب", Mail{From: "نون <noreply@noon.com>", Subject: "تأكيد الطلب", Text: `
شكرا لطلبك!
رقم الطلب: NAEA1234567890
المبلغ الإجمالي: 249.00 AED
`}, `order NAEA1234567890 249.00 AED "نون" - []`},
		{"India", Mail{From: "Flipkart <noreply@flipkart.com>", Subject: "Your Order for Boat Headphones has been " +
			"successfully placed", Text: `
Hi Alex, your order has been placed.
Order ID: OD123456789012345000
Order placed on 13/03/2026
Total amount: ₹1,23,456.00
Payment method: UPI
`}, `order OD123456789012345000 123456.00 INR "Flipkart" 2026-03-13 []`},
	} {
		c.run(t)
	}
}
