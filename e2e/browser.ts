import { chromium, type Browser } from 'playwright-core'

/** Linux runtimes that lack the browser's libraries get them from the package too, when it thinks it runs in one that does. */
const RUNTIME_WITHOUT_LIBRARIES = 'AWS_Lambda_nodejs22.x'

/** A real Chromium: the one of `CHROMIUM_PATH`, or the one that comes with the development dependencies. */
export async function launchBrowser(): Promise<Browser> {
  const own = process.env['CHROMIUM_PATH']
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  if (own !== undefined && own !== '') return chromium.launch({ executablePath: own, args: quiet })
  process.env['AWS_EXECUTION_ENV'] ??= RUNTIME_WITHOUT_LIBRARIES
  const { default: bundled } = await import('@sparticuz/chromium')
  // Not its own arguments: they put everything into one process and switch the web's security off.
  return chromium.launch({ executablePath: await bundled.executablePath(), args: quiet })
}
