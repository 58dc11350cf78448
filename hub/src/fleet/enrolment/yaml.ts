import type { Json } from '@vedette/protocol/wire/stats-json'

/** What is wrong with a text, and in which line, for the person who wrote it. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
}

type Line = { readonly number: number; readonly indent: number; readonly text: string }

const DEEPEST = 16

/**
 * Reads the YAML (1.2) that people write into lists of things: mappings, lists, lists in brackets, plain and quoted texts,
 * numbers, comments. Anchors, tags and texts over several lines are refused. Throws {@link YamlError}.
 */
export function parseYaml(text: string): Json {
  const lines = linesOf(text)
  if (lines.length === 0) return null
  const [value, rest] = parseBlock(lines, lines[0]?.indent ?? 0, 0)
  const [left] = rest
  if (left !== undefined) throw wrong(left, 'it is indented less than what is before it')
  return value
}

function linesOf(text: string): readonly Line[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((whole, at): Line[] => {
      const number = at + 1
      const [indentation = ''] = /^\s*/.exec(whole) ?? []
      const content = withoutComment(whole.slice(indentation.length)).trimEnd()
      if (content === '' || content === '---' || content === '...') return []
      const line = { number, indent: indentation.length, text: content }
      if (indentation.includes('\t')) throw wrong(line, 'indent with spaces, not with tabs')
      return [line]
    })
}

/** A `#` begins a comment at the start and after a space, but not inside quotes. */
function withoutComment(text: string): string {
  const [kept = ''] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^"'#]|(?<=\S)[#"'])*/.exec(text) ?? []
  return text.charAt(kept.length) === '#' ? kept : text
}

type Rest = readonly Line[]

function parseBlock(lines: Rest, indent: number, depth: number): readonly [Json, Rest] {
  const [first] = lines
  if (first === undefined) return [null, lines]
  if (depth > DEEPEST) throw wrong(first, 'it is nested too deeply')
  return isItem(first) ? parseList(lines, indent, depth) : parseMapping(lines, indent, depth)
}

const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ')

function parseList(lines: Rest, indent: number, depth: number): readonly [Json, Rest] {
  const items: Json[] = []
  let rest = lines
  for (let [line] = rest; line !== undefined && line.indent === indent && isItem(line); [line] = rest) {
    const content = line.text.slice(1).trimStart()
    const after = rest.slice(1)
    const inner = line.indent + line.text.length - content.length
    if (content === '') [items[items.length], rest] = parseBelow(after, indent, depth)
    else if (isItem({ ...line, text: content }) || keyOf(content) !== undefined)
      [items[items.length], rest] = parseBlock([{ number: line.number, indent: inner, text: content }, ...after], inner, depth + 1)
    else [items[items.length], rest] = [parseScalar(line, content), after]
  }
  refuseDeeper(rest, indent)
  return [items, rest]
}

function parseMapping(lines: Rest, indent: number, depth: number): readonly [Json, Rest] {
  const entries = new Map<string, Json>()
  let rest = lines
  for (let [line] = rest; line !== undefined && line.indent === indent && !isItem(line); [line] = rest) {
    const found = keyOf(line.text)
    if (found === undefined) throw wrong(line, 'expected "name: value"')
    const { key, content } = found
    if (entries.has(key)) throw wrong(line, `"${key}" is there twice`)
    const after = rest.slice(1)
    const [next] = after
    // A list may stand as far left as the name it belongs to.
    const sameLevel = next !== undefined && next.indent === indent && isItem(next)
    const [value, left] =
      content !== ''
        ? [parseScalar(line, content), after]
        : sameLevel
          ? parseList(after, indent, depth + 1)
          : parseBelow(after, indent, depth)
    entries.set(key, value)
    rest = left
  }
  refuseDeeper(rest, indent)
  return [Object.fromEntries(entries), rest]
}

function parseBelow(lines: Rest, indent: number, depth: number): readonly [Json, Rest] {
  const [next] = lines
  return next !== undefined && next.indent > indent ? parseBlock(lines, next.indent, depth + 1) : [null, lines]
}

function refuseDeeper([next]: Rest, indent: number): void {
  if (next !== undefined && next.indent > indent) throw wrong(next, 'it is indented more than what is before it')
}

function keyOf(text: string): { readonly key: string; readonly content: string } | undefined {
  const [, quoted, plain, content = ''] = /^(?:"([^"\\]*)"|([^\s"'[\]{},&*!|>%@`#-][^:"'[\]{}]*?))\s*:(?:\s+(.*))?$/.exec(text) ?? []
  const key = quoted ?? plain
  return key === undefined ? undefined : { key, content }
}

function parseScalar(line: Line, text: string): Json {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw wrong(line, 'a list in brackets must end on its line')
    const inner = text.slice(1, -1).trim()
    return inner === '' ? [] : splitList(inner).map((item) => parseScalar(line, item.trim()))
  }
  if (text.startsWith('"')) return parseQuoted(line, text)
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/.test(text)) throw wrong(line, 'a quote is not closed')
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (/^[&*!|>{%@`]/.test(text)) throw wrong(line, `"${text.charAt(0)}" at the start of a value is not supported; put the value in quotes`)
  if (/^(?:null|~)$/i.test(text)) return null
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function splitList(text: string): readonly string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,])+/g) ?? []
}

function parseQuoted(line: Line, text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
  } catch {
    // Told below, with the line.
  }
  throw wrong(line, 'it is no text in quotes')
}

function wrong({ number }: Line, problem: string): YamlError {
  return new YamlError(`line ${number}: ${problem}`)
}
