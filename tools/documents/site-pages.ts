import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readSource, root } from '../rules/source-tree.ts'
import { REFERENCE } from './reference-pages.ts'
import { settingsPage } from './settings-page.ts'

/** Page of the documents that the hub serves at `/docs/`: path of its Markdown source, title, and HTML file name. */
export type SitePage = {
  /** Path of the Markdown source of a page of the documents, relative to the repository. For a generated page, there is no such file. */
  readonly source: string
  readonly markdown: string
  /** Title of a page of the documents: the text of its first heading. */
  readonly title: string
  /** Name of the HTML file of a page of the documents, such as `install.html`; all pages are in one folder. */
  readonly file: string
}

/** Group of pages in the navigation of the documents: its name, and its pages in reading order. */
export type PageGroup = { readonly name: string; readonly pages: readonly SitePage[] }

const GUIDES = [
  'install',
  'kubernetes',
  'from-beszel',
  'first-hour',
  'connect-agents',
  'set-up-alerts',
  'users-and-sharing',
  'tags-and-views',
  'configuration-file',
  'https',
  'backup-and-restore',
  'upgrade',
  'troubleshooting',
  'limits',
] as const

/** Returns the start page of the documents, `docs/operators/index.md`, which is in no navigation group. */
export const startPage = (): SitePage => pageFrom('docs/operators/index.md')

/** Returns the list of navigation groups of the documents, with all pages except the start page, in reading order. */
export function pageGroups(): readonly PageGroup[] {
  const guides = GUIDES.map((name) => pageFrom(`docs/operators/${name}.md`))
  const reference = REFERENCE.filter((path) => existsSync(join(root, path))).map((path) => pageFrom(path))
  return [
    { name: 'Guides', pages: guides },
    { name: 'Reference', pages: [pageOf('docs/operators/settings.md', settingsPage()), ...reference] },
  ]
}

const pageFrom = (source: string): SitePage => pageOf(source, readSource(source))

function pageOf(source: string, markdown: string): SitePage {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`Cannot build the documents: ${source} has no heading`)
  return { source, markdown, title, file: `${basename(source, '.md').toLowerCase()}.html` }
}
