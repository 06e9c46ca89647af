package screen

import "github.com/mailkin/mailkin/internal/extract/stem"

// elsewhere is how other languages than English speak to a model.
var elsewhere = []stem.Row{
	{Means: addressed, Stems: `ki-assistent:,ki-assistenten:,an die ki.,an den ki-assistenten,an ki-assistenten,hinweis für ki,anweisung für die ki,
			wenn du eine ki bist,wenn sie eine ki sind,wenn du ein ki-,falls du ein ki-,falls du eine ki bist,wenn du ein sprachmodell,falls du ein sprachmodell,liebe ki.,
			assistant ia :,assistant ia:,assistants ia :,à l'assistant ia,à l'ia.,note pour l'ia,instructions pour l'ia,si tu es une ia,si tu es une intelligence,si vous êtes une intelligence,si tu es un assistant,si vous êtes une ia,
			si tu es un modèle,si vous êtes un modèle,chère ia.,asistente de ia:,asistente ia:,para el asistente de ia,nota para la ia,
			instrucciones para la ia,si eres una ia,si eres una inteligencia,si eres un asistente,si eres un modelo,si usted es una ia,atención ia.,
			assistente ia:,assistente ai:,per l'assistente ia,per l'assistente ai,nota per l'ia,istruzioni per l'ia,se sei un'ia,se sei un'intelligenza,se sei un assistente,se sei un modello,
			assistente de ia:,para o assistente de ia,nota para a ia,instruções para a ia,se você é uma ia,se você for uma ia,se fores uma ia,
			ai-assistent:,als je een ai bent,als u een ai bent,aan de ai-assistent,om du är en ai,hvis du er en ai,hvis du er en ki,jos olet tekoäly,tekoälyavustaja:,
			asystent ai:,asystencie ai,do asystenta ai,jeśli jesteś ai,jeśli jesteś modelem,ai asistent:,pokud jsi ai,pokud jste ai,ak si ai,
			dacă ești o ia,asistent ia:,ha te egy ai,ha ön egy ai,yapay zeka asistanı:,eğer bir yapay zeka,
			ии-ассистент:,ии-помощник:,ассистент ии:,для ии-ассистент,если ты ии.,если вы ии.,если ты языковая модель,если вы языковая модель,ші-асистент:,якщо ти ші.,якщо ви ші.,
			ai助手：,ai助手:,ai助理：,如果你是ai,如果您是ai,如果你是人工智能,如果你是语言模型,致ai,aiアシスタントへ,aiアシスタントである,aiであるあなた,aiアシスタント：,aiアシスタント:,aiへの指示,aiへ：,あなたがaiなら,あなたがaiの場合,
			ai 어시스턴트:,ai 비서:,ai 어시스턴트에게,ai 비서에게,당신이 ai라면,مساعد الذكاء الاصطناعي:,إذا كنت ذكاء,إذا كنت نموذج,אם אתה בינה,एआई सहायक:,यदि आप एक एआई`},
}
