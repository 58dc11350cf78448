import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { readSource, root } from '../rules/source-tree.ts'
import { run } from '../run.ts'

/** File names of the documents' icon, styles, scripts and search index in the folder `assets`. Each name contains a hash of the content. */
export type SiteAssets = {
  readonly icon: string
  readonly style: string
  readonly theme: string
  readonly script: string
  readonly index: string
}

/**
 * Writes icon, styles, scripts and the search index (JSON text) of the documents into the subfolder `assets` of `folder`, and resolves with
 * their file names.
 */
export async function writeAssets(folder: string, searchIndex: string): Promise<SiteAssets> {
  const assets = join(folder, 'assets')
  mkdirSync(assets, { recursive: true })
  const write = (name: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`
    writeFileSync(join(assets, hashed), text)
    return hashed
  }
  return {
    icon: write('icon.svg', readSource('web/public/static/favicon.svg')),
    style: write('page.css', lookOf(readSource('web/src/styles/look.css')) + readSource('docs/site/page.css')),
    theme: write('theme.js', readSource('web/public/static/start.js')),
    script: await bundleScript(folder),
    index: write('search.json', searchIndex),
  }
}

/**
 * Takes the text of the dashboard's CSS and returns CSS text for the documents that defines the same colours (of both themes), fonts and
 * radii. Printed pages always have the light theme. Throws when the dashboard's CSS has another form than expected.
 */
export function lookOf(css: string): string {
  const block = (selector: string): string => {
    const found = new RegExp(`^${selector} \\{\\n([^}]*)\\}`, 'm').exec(css)?.[1]
    if (found === undefined) throw new Error(`Cannot build the documents: look.css has no block ${selector}`)
    return found
  }
  const shapes = block('@theme inline').match(/^ {2}--(?:font|radius)-[a-z]+:.*$/gm) ?? []
  return `:root {\n${block(':root')}${shapes.join('\n')}\n}\n@media not print {\n.dark {\n${block('\\.dark')}}\n}\n`
}

/**
 * Bundles the browser script of the documents into the subfolder `assets` of `folder`, together with the licence notices of its packages.
 * Resolves with the script's file name.
 */
async function bundleScript(folder: string): Promise<string> {
  const site = join(root, 'docs', 'site')
  const status = await run('vite', ['build', '--config', 'vite.config.ts', '--outDir', folder], { cwd: site })
  if (status !== 0) throw new Error(`Cannot build the documents: the build of their script ended with status ${status}`)
  const manifest: unknown = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'))
  const { file } = (manifest as Readonly<Record<string, { readonly file: string }>>)['page.js'] ?? {} // as Vite writes it
  if (file === undefined) throw new Error('Cannot build the documents: the manifest of their script does not name it')
  return basename(file)
}
