import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { root } from '../tools/rules/source-tree.ts'

/** Linux runtimes that lack the browser's libraries get them from the package too, when it thinks it runs in one that does. */
const RUNTIME_WITHOUT_LIBRARIES = 'AWS_Lambda_nodejs22.x'

/** Below the project: the folder for temporary files may hold what another account of this machine unpacked. */
const unpacked = join(root, 'node_modules', '.cache', 'browser')

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real Chromium. */
export async function launchBrowser(): Promise<Browser> {
  // Not the arguments of the package: they put everything into one process and switch the web's security off.
  return chromium.launch({ executablePath: await browserProgram(), args: quiet })
}

/** The path of Chromium: the one of `CHROMIUM_PATH`, or the one that comes with the development dependencies, which is unpacked the first time. */
export async function browserProgram(): Promise<string> {
  const own = process.env['CHROMIUM_PATH']
  if (own !== undefined && own !== '') return own
  process.env['AWS_EXECUTION_ENV'] ??= RUNTIME_WITHOUT_LIBRARIES
  mkdirSync(unpacked, { recursive: true })
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files (os.tmpdir()).
  process.env['TMPDIR'] = unpacked
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

/** The package's own fonts.conf(5) names `/tmp/fonts`. Without any font Chromium ends itself when it looks for a letter that a page's font lacks. */
function useOwnFonts(): void {
  const file = join(unpacked, 'fonts.conf')
  const written = `${file}.${process.pid}`
  writeFileSync(
    written,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpacked, 'fonts')}</dir>
  <cachedir>${join(unpacked, 'fonts-cache')}</cachedir>
</fontconfig>
`,
  )
  // Other test files may be reading it.
  renameSync(written, file)
  process.env['FONTCONFIG_FILE'] = file
}
