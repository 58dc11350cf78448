import { posix } from 'node:path'
import markdownIt, { type Token } from 'markdown-it'
import { REFERENCE } from './reference-pages.ts'

/**
 * Renderer (markdown-it) that converts a document's Markdown to HTML. For each page it needs a `PageContext`: the path of the Markdown
 * source, and a map from source path to HTML file name for all pages.
 */
export type PageRenderer = ReturnType<typeof pageRenderer>
export type PageContext = { readonly source: string; readonly files: ReadonlyMap<string, string> }

/** Set of the languages of code blocks that show output. All other blocks contain commands or files that a reader types or copies. */
const OUTPUT = new Set(['text', 'json'])

/**
 * Creates the markdown-it renderer for the documents. Headings get the anchors that GitHub would give them, links between Markdown files
 * become links between pages, and tables and code blocks can be scrolled by keyboard. HTML is shown as text.
 */
export function pageRenderer() {
  const md = markdownIt({ html: false, linkify: false, typographer: false })
  const { rules } = md.renderer
  md.core.ruler.push('vedette', ({ tokens, env }) => {
    addAnchors(tokens)
    for (const token of tokens) if (token.children !== null) linkPages(token.children, env as PageContext) // given to `render`
  })
  const scrolled = (name: string, html: string): string => `<div class="table" tabindex="0" role="region" aria-label="${name}">${html}`
  rules['table_open'] = (tokens, index) => scrolled(md.utils.escapeHtml(tableName(tokens, index)), '<table>')
  rules['table_close'] = () => '</table></div>'
  rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    const [language = ''] = info.split(' ')
    return `<pre tabindex="0"${OUTPUT.has(language) ? ' class="output"' : ''}><code>${md.utils.escapeHtml(content)}</code></pre>\n`
  }
  rules['code_block'] = (tokens, index) => `<pre tabindex="0"><code>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`
  return md
}

/** Returns a document's Markdown without its HTML comments; comments inside code blocks stay. */
export const withoutComments = (markdown: string): string =>
  markdown.replaceAll(/(```[\s\S]*?```)|<!--[\s\S]*?-->\n?/g, (_, code: string | undefined) => code ?? '')

/** Returns the plain text of a heading, link or table cell: its markdown-it token without formatting. Empty string without a token. */
export const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'text' || type === 'code_inline' ? content : ''))
    .join('')

function addAnchors(tokens: readonly Token[]): void {
  const used = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const anchor = anchorOf(plainText(tokens[index + 1]))
    const before = used.get(anchor) ?? 0
    used.set(anchor, before + 1)
    token.attrSet('id', before === 0 ? anchor : `${anchor}-${before}`)
  }
}

/**
 * Returns the anchor (URL fragment) that GitHub gives to a heading with this text: lower case, without punctuation, and with hyphens for
 * spaces.
 */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/**
 * Changes the links in a page's markdown-it tokens, in place: a link to another Markdown file becomes a link to its HTML page. A link to a
 * file that the hub does not serve becomes plain text. Throws an Error when an operators' guide has such a link, unless to a reference page
 * that does not exist yet.
 */
function linkPages(tokens: Token[], { source, files }: PageContext): void {
  let isDropped = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? ''
      const address = pageAddress(href, source, files)
      if (address === undefined && !isPlanned(href, source)) throw new Error(`Cannot build the documents: ${source} links to ${href}`)
      isDropped = address === undefined
      if (address !== undefined) token.attrSet('href', address)
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      isDropped = token.type === 'link_open'
      Object.assign(token, { type: 'text', content: '', nesting: 0, tag: '' })
    }
  }
}

/**
 * Returns true if a link to a file without a page is acceptable. On reference pages any such link is; in an operators' guide only one to a
 * reference page that does not exist yet. The build fails for others.
 */
const isPlanned = (href: string, source: string): boolean =>
  !source.startsWith('docs/operators/') || REFERENCE.includes(sourceOf(href, source))

/**
 * Returns the path, relative to the repository, of the file to which the relative link `href` in the Markdown file `source` leads. The
 * fragment is dropped.
 */
const sourceOf = (href: string, source: string): string => posix.normalize(posix.join(posix.dirname(source), href.replace(/#.*$/, '')))

/**
 * Returns the URL for a link on a page of the documents. It is `install.html#anchor` for another Markdown source, and the unchanged `href`
 * for an absolute URL or a fragment. `undefined` for a file that is no page.
 */
export function pageAddress(href: string, source: string, files: PageContext['files']): string | undefined {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href
  const [, anchor] = href.split('#')
  const file = files.get(sourceOf(href, source))
  return file === undefined ? undefined : anchor === undefined ? file : `${file}#${anchor}`
}

/** Returns the accessible name of a table in a document: the text of the heading before it, else the text of its first column heading. */
function tableName(tokens: readonly Token[], index: number): string {
  const above = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open')
  return `Table: ${plainText(tokens[above === -1 ? index + 3 : above + 1])}`
}
