/** Replacement for `URL`, as far as the tests use it: the path of a recording relative to the test file. */
export class FileUrl {
  readonly pathname: string
  constructor(relative: string, base: string | FileUrl) {
    const folder = pathOf(base).replace(/[^/]*$/, '')
    const parts: string[] = []
    for (const part of `${folder}${relative}`.split('/')) {
      const isAtRoot = parts.length <= 1
      if (part === '..' && !isAtRoot) parts.pop()
      else if (part !== '.' && part !== '..') parts.push(part)
    }
    this.pathname = parts.join('/')
  }
}

/** Returns the path of a `file:` URL; a path is returned unchanged. */
export const pathOf = (place: string | FileUrl): string => (typeof place === 'string' ? place.replace(/^file:\/\//, '') : place.pathname)
