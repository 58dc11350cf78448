/**
 * Vite plug-in object that writes non-ASCII characters of the bundle as escapes, because one such character makes the text take twice the
 * memory. Escapes mean the same in texts, templates and regular expressions. For a `String.raw` with such a character it throws.
 */
export const asciiChunks = {
  name: 'ascii-chunks',
  generateBundle(_options: unknown, bundle: Readonly<Record<string, Chunk>>): void {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = inAscii(chunk.code)
  },
}

type Chunk = { readonly type: 'asset' } | { readonly type: 'chunk'; code: string }

/**
 * Regular expression that matches a non-ASCII character (group 2) with the backslashes before it (group 1), in source text. After an odd
 * number of backslashes, the last one escapes the character and is dropped with it.
 */
const NOT_ASCII = /(\\*)([^\0-\x7f])/g
const RAW_NOT_ASCII = /\braw`[^`]*[^\0-\x7f`]/

export function inAscii(code: string): string {
  const raw = RAW_NOT_ASCII.exec(code)
  if (raw !== null) throw new Error(`Cannot bundle "${raw[0]}": what is raw and not ASCII would change`)
  // Without the u flag a character beyond the basic plane is its two surrogates, as escapes have it.
  return code.replaceAll(NOT_ASCII, (_, backslashes: string, unit: string) => {
    const pairs = backslashes.slice(backslashes.length % 2)
    return `${pairs}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
