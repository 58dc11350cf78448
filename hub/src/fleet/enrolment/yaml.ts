import type { Json } from '@vedette/protocol/wire/stats-json'
import { LineCounter, parseDocument, visit } from 'yaml'
import { parseJson } from '../../platform/json.ts'

/** Thrown for invalid YAML. The message names the problem and its line in the YAML text. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
}

/**
 * Parses the text of a YAML file (1.2, core schema) to JSON. Numbers stay text, because tokens and names may look like numbers; aliases are
 * refused, because a few lines of them can expand to gigabytes. Throws {@link YamlError}.
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
    // Limits of the parser: an alias, or lists nested deeper than its stack.
    throw new YamlError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
