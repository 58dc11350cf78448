/** What the tests use of a `URL`: a recording beside the file that names it. */
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

/** Of a `file:` address, or a path as it is. */
export const pathOf = (place: string | FileUrl): string => (typeof place === 'string' ? place.replace(/^file:\/\//, '') : place.pathname)
