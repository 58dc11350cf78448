import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Eleventy } from '@11ty/eleventy'
import { VEDETTE_VERSION } from '../../protocol/src/wire/version.ts'
import { compressFiles } from '../../web/build/precompress.ts'
import { root } from '../rules/source-tree.ts'
import { pageRenderer, withoutComments, type PageContext } from './markdown.ts'
import { searchIndex } from './search-index.ts'
import { writeAssets } from './site-assets.ts'
import { pageGroups, startPage, type SitePage } from './site-pages.ts'

const NOT_FOUND = '# Page not found\n\nThere is no such page in the documents. Search for it, or choose one of the pages in the list.\n'

/** Minimum number of second-level headings from which a page of the documents gets a table of contents. */
const LONG_PAGE = 4

/**
 * Writes the documents, which the hub serves at `/docs/`, as static HTML pages into a folder, after deleting its content. Rejects when a
 * page cannot be built.
 */
export async function writeDocuments(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const groups = pageGroups()
  const listed = groups.flatMap(({ pages }) => pages)
  const missing: SitePage = { source: 'docs/operators/404.md', markdown: NOT_FOUND, title: 'Page not found', file: '404.html' }
  const start = startPage()
  const files = new Map([start, ...listed].map(({ source, file }) => [source, file === 'index.html' ? './' : file]))
  const renderer = pageRenderer()
  const assets = await writeAssets(folder, searchIndex([start, ...listed], renderer, files))
  const shared = { layout: 'page.njk', groups, assets, version: VEDETTE_VERSION }

  const site = new Eleventy(join('docs', 'site'), folder, {
    quietMode: true,
    config(config) {
      config.setIncludesDirectory('.')
      config.setUseGitIgnore(false)
      config.setTemplateFormats(['html'])
      for (const page of [start, ...listed, missing]) {
        const at = listed.indexOf(page)
        const html = renderer.render(withoutComments(page.markdown), { source: page.source, files } satisfies PageContext)
        const neighbours = at === -1 ? { next: page === start ? listed[0] : undefined } : { previous: listed[at - 1], next: listed[at + 1] }
        const data = { ...shared, ...neighbours, title: page.title, file: page.file, permalink: page.file }
        config.addTemplate(page.file, withContents(html), data)
      }
      return { htmlTemplateEngine: false }
    },
  })
  await site.write()
  await compressFiles(folder)
}

/**
 * Returns the HTML of a documents page with a table of contents after its introduction. A page with fewer than 4 second-level headings is
 * returned unchanged.
 */
function withContents(html: string): string {
  const headings = [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)]
  if (headings.length < LONG_PAGE) return html
  const items = headings.map(([, id = '', text = '']) => `<li><a href="#${id}">${text.replaceAll(/<[^>]+>/g, '')}</a></li>`)
  const contents = `<nav class="contents" aria-label="On this page"><ul>${items.join('')}</ul></nav>`
  return html.replace('<h2 ', () => `${contents}\n<h2 `)
}

if (import.meta.main) await writeDocuments(join(root, 'docs', 'dist'))
