package screen

import "strings"

// mark is a form in which programs speak to models, and nobody else.
type mark struct {
	text   string // lower case
	rule   string
	points int
}

const (
	ruleTag   = "speak as the system"
	ruleTool  = "call a tool"
	ruleImage = "carry data away in an image"
)

// marksOf are the marks, which are found where they begin, by their first byte.
var marksOf = func() (of [256][]mark) {
	add := func(rule string, points int, texts ...string) {
		for _, t := range texts {
			of[t[0]] = append(of[t[0]], mark{t, rule, points})
		}
	}
	add(ruleTag, 2, "<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>",
		"<|start_header_id|>",
		"<|end_header_id|>", "<|eot_id|>", "<|begin_of_text|>", "<|im_sep|>", "<<sys>>", "<</sys>>", "[inst]",
		"[/inst]", "<start_of_turn>",
		"<end_of_turn>", "### instruction:", "### system:", "###system", "### new instruction", "### system prompt",
		"### assistant:", "<system_prompt",
		"</system_prompt", "<system:", "<system-override", "<system_message", "<system_instruction", "<ai_instruction",
		"<llm_instruction",
		"<agent_instruction", "<hidden_instruction", "<new_instruction", "<admin_override", "<override",
		"[system override", "[system prompt",
		"[system instruction", "[system message", "[system]", "[[system", "{{system", "[ai instruction",
		"[hidden instruction",
		"<assistant_instruction", "<|tool", "<developer_message", "###(system", "###admin", "[ai_instruction",
		"[ai_override")
	add(ruleTag, 1, "<system>", "</system>", "<important>", "<instructions>", "</instructions>", "<assistant>",
		"<admin>", "<prompt>", "<secret>",
		"[assistant]", "[user]", "[important instruction", "<instruction>", "<hidden>", "<information>", "[admin]",
		"[override]", "### instruction")
	add(ruleTool, 2, "<function_calls>", "<function_call>", "<tool_call>", "<tool_calls>", "<tool_use>",
		"<invoke name=", "[tool_call",
		"{\"tool_calls\"", "{\"function_call\"", "{\"tool\":", "{\"tool_name\":", "{\"tool_use\"", "\"tool_calls\":",
		"\"function_call\":")
	return of
}()

// opens are the bytes that marks and images begin with.
var opens = func() (of [256]bool) {
	for c, list := range marksOf {
		of[c] = len(list) > 0 || c == '!'
	}
	return of
}()

// marks looks for role tags, tool calls, and images that carry data away.
func (r *reader) marks(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !opens[c] {
			continue
		}
		if c == '!' {
			if strings.HasPrefix(text[i:], "![") && carries(text[i:]) {
				r.mark(ruleImage, text, i, 2)
			}
			continue
		}
		for _, m := range marksOf[c] {
			if len(text)-i >= len(m.text) && text[i+1]|0x20 == m.text[1]|0x20 &&
				strings.EqualFold(text[i:i+len(m.text)], m.text) {
				r.mark(m.rule, text, i, m.points)
				break
			}
		}
	}
}

// mark keeps a finding at a place of a text.
func (r *reader) mark(rule, text string, at, points int) {
	quoted := at > 0 && strings.IndexByte("`\"'", text[at-1]) >= 0
	text = text[at:min(len(text), at+2*maxExcerpt)]
	r.add(found{Finding: Finding{Rule: rule, Layer: r.layer, Excerpt: excerpt(text)}, points: points, quoted: quoted})
}

// carries tells of a Markdown image whose address has room for what a model knows: "![x](https://host/?q={secret})".
func carries(text string) bool {
	const longest = 400
	text = text[:min(len(text), longest)]
	_, target, ok := strings.Cut(text, "](")
	if !ok {
		return false
	}
	target, _, _ = strings.Cut(target, ")")
	if len(target) < 4 || !strings.EqualFold(target[:4], "http") {
		return false
	}
	i := strings.IndexByte(target, '?')
	if i < 0 {
		i = strings.LastIndexByte(target, '/')
	}
	value := strings.ToLower(target[max(i, 0):])
	if strings.ContainsAny(value, "{[<$ ") {
		return true
	}
	for _, w := range []string{"=data", "=secret", "=your_", "=user_", "=conversation", "=summary", "=history",
		"=password", "=base64", "=insert", "_here"} {
		if strings.Contains(value, w) {
			return true
		}
	}
	return false
}
