import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|html|svg|json|txt|webmanifest)$/
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * Creates a Vite plugin that writes a `.br` (Brotli) and a `.gz` file beside every text file of the build, so that the hub need not
 * compress. See `compressFiles`.
 */
export function precompress(): Plugin {
  return {
    name: 'vedette:precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir !== undefined) await compressFiles(dir)
    },
  }
}

/**
 * Writes a Brotli (`.br`) and a gzip (`.gz`) copy beside every JS, CSS, HTML, SVG, JSON, `.txt` and `.webmanifest` file of a folder and its
 * subfolders. Folders `.vite` are skipped.
 */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name) && !entry.parentPath.includes('.vite'))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const [brotli, gzipped] = await Promise.all([
    toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    toGzip(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}
