import { isCollection, isNode, Lexer, LineCounter, parseDocument, stringify, visit, type Document } from 'yaml'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { holdsNul, isJsonObject, parseJson } from '../../platform/json.ts'
import { configForm, MOST_RECORDS, type ConfigFile } from './config-form.ts'
import { ConfigRefusedError, pathText, type ConfigPath, type ConfigProblem } from './config-problem.ts'

/** Maximum size in bytes (8,000,000) of the file that `vedette apply config` reads. A larger file is refused. */
export const MOST_BYTES = 8_000_000
/**
 * Maximum nesting depth, 20, of lists and maps in a configuration file's YAML. A file that nests deeper is refused; the format needs 5
 * levels.
 */
const DEPTH = 20

/** Parsed and checked configuration file. `lineOf` returns the line (from 1) of the value at a path in the file. */
export type ParsedConfig = { readonly config: ConfigFile; readonly lineOf: (path: ConfigPath) => number }

/**
 * Parses a configuration file (YAML 1.2) and checks it with its schema. Aliases, duplicate keys and deep nesting are refused. Throws a
 * {@link ConfigRefusedError} with all errors of its YAML or of its form, with their lines. A file that is too large, nests too deep or has
 * an alias gives one error without a line.
 */
export function parseConfig(text: string): ParsedConfig {
  if (Buffer.byteLength(text) > MOST_BYTES) throw new ConfigRefusedError(`Cannot use the file: it is larger than ${MOST_BYTES / 1e6} MB`)
  const lineCounter = new LineCounter()
  const { document, value } = parsedYaml(text, lineCounter)
  const lineOf = (path: ConfigPath): number => lineCounter.linePos(offsetOf(document, path)).line || 1
  const checked = configForm.safeParse(value)
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }) => ({ path: path as ConfigPath, message })) // JSON has no symbols
    throw refusalOf(problems, lineOf)
  }
  const config = checked.data as unknown as ConfigFile // the schema has just been checked
  const count = Object.values(config).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0)
  if (count > MOST_RECORDS)
    throw new ConfigRefusedError(`Cannot use the file: it has ${count} records, at most ${MOST_RECORDS} are possible`)
  return { config, lineOf }
}

/**
 * Creates the error for a configuration file with problems. Its message has a line for each problem, with line number and path in the file.
 */
export const refusalOf = (problems: readonly ConfigProblem[], lineOf: ParsedConfig['lineOf']): ConfigRefusedError =>
  new ConfigRefusedError(
    problems
      .map(({ path, message }) => ({ line: lineOf(path), text: path.length === 0 ? message : `${pathText(path)}: ${message}` }))
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, text }) => `line ${line}: ${text}`)
      .join('\n'),
  )

/** Converts a configuration (settings and records) to the YAML text of a configuration file. Equal configurations give the same text. */
export const configText = (config: ConfigFile): string => stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })

function parsedYaml(text: string, lineCounter: LineCounter): { readonly document: Document; readonly value: Json } {
  try {
    refuseDeepLists(text)
    const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
    if (document.errors.length > 0)
      throw new ConfigRefusedError(
        document.errors.map(({ pos, message }) => `line ${lineCounter.linePos(pos[0]).line}: ${message}`).join('\n'),
      )
    visit(document, (_, node, ancestors) => {
      if (isCollection(node) && ancestors.length > DEPTH * 2) throw tooDeep()
    })
    const value = parseJson(JSON.stringify(document.toJS({ maxAliasCount: 0 }) ?? null))
    if (holdsNul(value) || !isWellFormed(value)) throw new ConfigRefusedError('a text has a character that cannot be stored')
    return { document, value }
  } catch (error) {
    if (error instanceof ConfigRefusedError && error.message.startsWith('line ')) throw error
    // Limits of the parser: an alias, or lists nested deeper than its stack.
    throw new ConfigRefusedError(`Cannot read the file: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/**
 * Throws a ConfigRefusedError for YAML text in which lists or maps in brackets nest deeper than 20. It must run before the parser, which
 * takes quadratic time for such a text.
 */
function refuseDeepLists(text: string): void {
  let depth = 0
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > DEPTH) throw tooDeep()
  }
}

const tooDeep = (): ConfigRefusedError => new ConfigRefusedError(`it nests deeper than ${DEPTH} levels`)

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (Array.isArray(value)) return value.every(isWellFormed)
  return !isJsonObject(value) || Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner))
}

/**
 * Returns the position of the value at a path in the text of a YAML document, in UTF-16 units from the start. If the path has no value, it
 * is the position of the innermost value around it.
 */
function offsetOf(document: Document, path: ConfigPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}
