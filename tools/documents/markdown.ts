import { posix } from 'node:path'
import markdownIt, { type Token } from 'markdown-it'
import { REFERENCE } from './reference-pages.ts'

/** Renderer of the pages. Its environment has the path of the page's source, and the file names of all pages by the path of their source. */
export type PageRenderer = ReturnType<typeof pageRenderer>
export type PageContext = { readonly source: string; readonly files: ReadonlyMap<string, string> }

/** Languages of code blocks that hold output and not something to type. */
const OUTPUT = new Set(['text', 'json'])

/**
 * Creates a markdown-it renderer. Headings get the anchors that GitHub gives them, links to other sources become links to their pages, and
 * tables and code blocks can be scrolled by keyboard. HTML comments are left out; other HTML is shown as text.
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

/** Returns Markdown without its HTML comments outside code blocks. */
export const withoutComments = (markdown: string): string =>
  markdown.replaceAll(/(```[\s\S]*?```)|<!--[\s\S]*?-->\n?/g, (_, code: string | undefined) => code ?? '')

/** Returns the text of a heading, link or cell without its marks. */
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

/** Returns the anchor that GitHub gives to a heading: lower case, without punctuation, with hyphens for spaces. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** Replaces the addresses of links. A link to a file that is no page becomes plain text, because the hub does not serve that file. */
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

/** Returns false for a link of a guide to a file that is neither a page nor will be one. Reference pages also link to sources. */
const isPlanned = (href: string, source: string): boolean =>
  !source.startsWith('docs/operators/') || REFERENCE.includes(sourceOf(href, source))

/** Returns the path below the project's folder of the file to which a relative link leads. */
const sourceOf = (href: string, source: string): string => posix.normalize(posix.join(posix.dirname(source), href.replace(/#.*$/, '')))

/** Returns the address of a link on a page: `install.html#anchor` for a source, unchanged for other hosts; `undefined` for no page. */
export function pageAddress(href: string, source: string, files: PageContext['files']): string | undefined {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href
  const [, anchor] = href.split('#')
  const file = files.get(sourceOf(href, source))
  return file === undefined ? undefined : anchor === undefined ? file : `${file}#${anchor}`
}

/** Returns the name of a table for screen readers: the heading above it, else its first column. */
function tableName(tokens: readonly Token[], index: number): string {
  const above = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open')
  return `Table: ${plainText(tokens[above === -1 ? index + 3 : above + 1])}`
}
