import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ConfigField, NamedCollection } from './config-section.ts'

/** Returns a field with a text. `doc` is its description in the JSON schema. */
export const textField = (name: string, doc: string, more: Partial<ConfigField> = {}): ConfigField => ({
  name,
  schema: z.string().describe(doc),
  ...more,
})

/** Returns a field with a set of texts. `normalizeText` converts each to the form that an export writes. */
export const listOf = (
  name: string,
  doc: string,
  more: Partial<ConfigField>,
  normalizeText = (text: string): string => text,
): ConfigField => ({
  name,
  schema: z.array(z.string()).describe(doc).optional(),
  ...more,
  normalize: (value) => sortedTexts(textsIn(value).map(normalizeText)),
})

/** Returns a field that names one record of a collection. */
export const requiredReference = (name: string, to: NamedCollection, doc: string): ConfigField => ({
  name,
  to,
  schema: z.string().describe(doc),
})

/** Returns a field that may name one record of a collection. */
export const optionalReference = (name: string, to: NamedCollection, doc: string): ConfigField => ({
  name,
  to,
  schema: z.string().describe(doc).optional(),
  isOmittedEmpty: true,
})

/** Returns the texts of a list in the order of their UTF-16 code units, each once: the same order in every locale. */
export const sortedTexts = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted()

/** Returns the texts of a list; `[]` for any other value. */
export const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** Error for a secret that is written in the file. */
export const NO_SECRETS = 'expected { env: NAME } or { file: PATH }, because a file has no secrets'

/** Schema of a reference to a secret: the name of an environment variable, or the path of a file. */
export const secretReference = z.union(
  [
    z.strictObject({ env: z.string().min(1).describe('Name of the environment variable with the secret.') }),
    z.strictObject({ file: z.string().min(1).describe('Path of the file with the secret.') }),
  ],
  { error: NO_SECRETS },
)
