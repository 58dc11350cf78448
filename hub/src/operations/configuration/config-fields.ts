import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ConfigField, NamedCollection } from './config-section.ts'

/**
 * Returns the definition of a required text field in a configuration file. `doc` describes it in the JSON schema; properties in `more`,
 * such as another `schema`, replace those of the definition.
 */
export const textField = (name: string, doc: string, more: Partial<ConfigField> = {}): ConfigField => ({
  name,
  schema: z.string().describe(doc),
  ...more,
})

/**
 * Returns the definition of an optional list of texts in a configuration file, which an export sorts. `normalizeText` converts each text to
 * its exported form. `doc` describes the field in the JSON schema; `more` sets further properties.
 */
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

/**
 * Creates the definition of a configuration file's required field that names one record of the collection `to`. `doc` describes the field
 * in the JSON schema.
 */
export const requiredReference = (name: string, to: NamedCollection, doc: string): ConfigField => ({
  name,
  to,
  schema: z.string().describe(doc),
})

/**
 * Creates the definition of a configuration file's optional field that names one record of the collection `to`. `doc` describes the field
 * in the JSON schema.
 */
export const optionalReference = (name: string, to: NamedCollection, doc: string): ConfigField => ({
  name,
  to,
  schema: z.string().describe(doc).optional(),
  isOmittedEmpty: true,
})

/** Returns the texts as a list without repetitions, sorted by UTF-16 code units, so that the order does not depend on the locale. */
export const sortedTexts = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted()

/** Returns the texts in a list of a parsed JSON value, without members of other types; `[]` if the value is not a list. */
export const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** Error message for a secret that is written in a configuration file instead of a reference to it. */
export const NO_SECRETS = 'expected { env: NAME } or { file: PATH }, because a file has no secrets'

/**
 * Schema of a reference to a secret in a configuration file, `{ env: NAME }` or `{ file: PATH }`: the environment variable or file that
 * holds the secret.
 */
export const secretReference = z.union(
  [
    z.strictObject({ env: z.string().min(1).describe('Name of the environment variable with the secret.') }),
    z.strictObject({ file: z.string().min(1).describe('Path of the file with the secret.') }),
  ],
  { error: NO_SECRETS },
)
