import type { Json } from '@vedette/protocol/wire/stats-json'
import { LineCounter, parseDocument, visit } from 'yaml'
import { parseJson } from '../../records/model/json-value.ts'

/** The problem of a text, and its line, for the person who wrote it. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
}

/**
 * Reads YAML (1.2, core schema). A number is the text that was written, because tokens, names and ports may look like one. Aliases are
 * refused: a few lines of them stand for gigabytes. Throws {@link YamlError}.
 */
export function parseYaml(text: string): Json {
  const lineCounter = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
    const [error] = document.errors
    if (error !== undefined) throw new YamlError(`line ${lineCounter.linePos(error.pos[0]).line}: ${error.message}`)
    visit(document, {
      Scalar: (_, scalar) => {
        if (typeof scalar.value === 'number') scalar.value = scalar.source
      },
    })
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return parseJson(JSON.stringify(value ?? null))
  } catch (error) {
    if (error instanceof YamlError) throw error
    // The parser's own limits: an alias, or lists nested more deeply than its stack.
    throw new YamlError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
