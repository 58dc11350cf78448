import MiniSearch from 'minisearch'
import { searchOptions } from '../../docs/site/search-options.ts'
import { plainText, withoutComments, type PageContext, type PageRenderer } from './markdown.ts'
import type { SitePage } from './site-pages.ts'

/** Section of a page of the documents, from one heading to the next, as one entry of the search index. */
type Section = {
  readonly id: string
  readonly page: string
  readonly heading: string
  /** URL of the section of the documents relative to `/docs/`, such as `install.html#from-the-repository`. */
  readonly address: string
  readonly text: string
  readonly excerpt: string
}

/**
 * Maximum length in characters, 120, of the excerpt that a search result of the documents shows. A longer section is cut, and `…` follows.
 */
const EXCERPT = 120

/** Returns the serialized MiniSearch index (JSON) for the search of the documents, with one entry for each section of the pages. */
export function searchIndex(pages: readonly SitePage[], renderer: PageRenderer, files: PageContext['files']): string {
  const index = new MiniSearch<Section>(searchOptions)
  index.addAll(pages.flatMap((page) => sectionsOf(page, renderer, files)))
  return JSON.stringify(index)
}

function sectionsOf({ source, markdown, title, file }: SitePage, renderer: PageRenderer, files: PageContext['files']): readonly Section[] {
  const tokens = renderer.parse(withoutComments(markdown), { source, files } satisfies PageContext)
  const sections: { heading: string; anchor: string; texts: string[] }[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') sections.push({ heading: plainText(tokens[at + 1]), anchor: token.attrGet('id') ?? '', texts: [] })
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') sections.at(-1)?.texts.push(plainText(token))
    else if (token.type === 'fence' || token.type === 'code_block') sections.at(-1)?.texts.push(token.content)
  }
  return sections.map(({ heading, anchor, texts }, at) => {
    const text = texts.join(' ').replaceAll(/\s+/g, ' ')
    const address = at === 0 ? file : `${file}#${anchor}`
    return { id: address, page: title, heading, address, text, excerpt: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text }
  })
}
