import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Sizes, in bytes after gzip, of the JavaScript that each of three pages (All Systems, a system, back-office) loads before it is usable.
 */
export type BundleSizes = {
  /** Size in bytes, after gzip, of the JavaScript that loads until the page All Systems is shown. */
  readonly dashboardGzipBytes: number
  /** Size in bytes, after gzip, of the JavaScript that loads until a system page shows its charts. */
  readonly systemPageGzipBytes: number
  /** Size in bytes, after gzip, of the JavaScript that loads until the back-office shows its first page. */
  readonly backOfficeGzipBytes: number
}

const ENTRY = 'index.html'
/** Path, relative to the build folder, of the script that every page loads first: it sets language and theme before the first paint. */
const START = 'static/start.js'
const BACK_OFFICE = '_'
const COLLECTION_PAGE = '../src/back-office/records/collection-page.tsx'
const FLEET_PAGE = 'src/features/fleet/fleet-page.tsx'
const SYSTEM_PAGE = 'src/features/system/system-page.tsx'
const TIME_CHART = 'src/chart/time-chart.tsx'

/**
 * Computes the sizes of the pages' JavaScript (bytes after gzip) from the manifest of a build in `distFolder`. Throws RangeError when the
 * manifest lacks a page.
 */
export function bundleSizes(distFolder: string): BundleSizes {
  const manifest = readManifest(distFolder)
  const backOffice = join(distFolder, BACK_OFFICE)
  return {
    dashboardGzipBytes: gzipBytes(distFolder, [START, ...filesOf(manifest, [ENTRY, FLEET_PAGE])]),
    systemPageGzipBytes: gzipBytes(distFolder, [START, ...filesOf(manifest, [ENTRY, SYSTEM_PAGE, TIME_CHART])]),
    backOfficeGzipBytes: gzipBytes(backOffice, [`../${START}`, ...filesOf(readManifest(backOffice), [ENTRY, COLLECTION_PAGE])]),
  }
}

type Chunk = { readonly file: string; readonly imports: readonly string[] }
type Manifest = ReadonlyMap<string, Chunk>

function readManifest(folder: string): Manifest {
  const parsed: unknown = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError('Cannot read the manifest: it is no object')
  return new Map(Object.entries(parsed).map(([name, chunk]) => [name, readChunk(name, chunk)]))
}

function readChunk(name: string, chunk: unknown): Chunk {
  if (typeof chunk !== 'object' || chunk === null || !('file' in chunk) || typeof chunk.file !== 'string') {
    throw new TypeError(`Cannot read the manifest: "${name}" names no file`)
  }
  const imports = 'imports' in chunk && Array.isArray(chunk.imports) ? chunk.imports.filter((one) => typeof one === 'string') : []
  return { file: chunk.file, imports }
}

/**
 * Returns the paths of the build's files for the named chunks, and for all chunks that these import statically, by Vite's manifest. Throws
 * RangeError for a name that the manifest lacks.
 */
function filesOf(manifest: Manifest, names: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const chunk = manifest.get(name)
    if (chunk === undefined) throw new RangeError(`Cannot size the bundle: the manifest has no "${name}"`)
    if (seen.has(chunk.file)) continue
    seen.add(chunk.file)
    filesOf(manifest, chunk.imports, seen)
  }
  return seen
}

const gzipBytes = (folder: string, files: readonly string[]): number =>
  files
    .filter((file) => file.endsWith('.js'))
    .reduce((total, file) => total + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)
