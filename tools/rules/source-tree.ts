import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Returns the paths of all files of the repository, including new ones that are not committed yet. The paths are relative, with forward
 * slashes.
 */
export function listFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return [...new Set(listed.split('\n'))].filter((path) => path !== '' && existsSync(join(root, path)))
}

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

export const isSource = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path) && !/(^|\/)(vectors|fixtures|words|dist)\//.test(path)

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || /(^|\/)(test|e2e)\//.test(path)

export type Import = { readonly from: string; readonly to: string; readonly line: number }

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g

/**
 * Returns a list of all imports of a source file. Relative ones and those of our packages become repository paths; other packages keep
 * their names.
 */
export function importsOf(path: string): readonly Import[] {
  const text = readSource(path)
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    return { from: path, to: resolve(path, specifier), line: text.slice(0, match.index).split('\n').length }
  })
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')))
  const own = /^@vedette\/(\w+)\/(.*)$/.exec(specifier)
  return own === null ? specifier : `${own[1]}/src/${own[2]}.ts`
}
