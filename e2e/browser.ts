import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { root } from '../tools/rules/source-tree.ts'

/**
 * Value, `AWS_Lambda_nodejs22.x`, of the environment variable AWS_EXECUTION_ENV. With it, the tests' package `@sparticuz/chromium` also
 * unpacks the libraries that Chromium needs.
 */
const RUNTIME_WITHOUT_LIBRARIES = 'AWS_Lambda_nodejs22.x'

/**
 * Path of the folder for the unpacked browser. It is inside the project, because the system's temporary folder may contain files of another
 * user.
 */
const unpackFolder = join(root, 'node_modules', '.cache', 'browser')

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Launches a real Chromium and resolves with Playwright's `Browser`. */
export async function launchBrowser(): Promise<Browser> {
  // The package's own arguments would run everything in one process and disable web security.
  return chromium.launch({ executablePath: await browserProgram(), args: quiet })
}

/** Resolves with the path of Chromium: from `CHROMIUM_PATH`, or the one in the development dependencies, which is unpacked on first use. */
export async function browserProgram(): Promise<string> {
  const own = process.env['CHROMIUM_PATH']
  if (own !== undefined && own !== '') return own
  process.env['AWS_EXECUTION_ENV'] ??= RUNTIME_WITHOUT_LIBRARIES
  mkdirSync(unpackFolder, { recursive: true })
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files (os.tmpdir()).
  process.env['TMPDIR'] = unpackFolder
  try {
    const { default: bundled } = await import('@sparticuz/chromium')
    const program = await bundled.executablePath()
    useOwnFonts()
    return program
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/**
 * Writes a fonts.conf(5) that names the folder of the browser package's fonts, because its own file names `/tmp/fonts`. Without any font,
 * Chromium exits when a page's font lacks a character.
 */
function useOwnFonts(): void {
  const file = join(unpackFolder, 'fonts.conf')
  const written = `${file}.${process.pid}`
  writeFileSync(
    written,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpackFolder, 'fonts')}</dir>
  <cachedir>${join(unpackFolder, 'fonts-cache')}</cachedir>
</fontconfig>
`,
  )
  // Other test files may be reading it.
  renameSync(written, file)
  process.env['FONTCONFIG_FILE'] = file
}
