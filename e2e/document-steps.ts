/**
 * How a test runs a code block of the documents: `once`; `start`, it keeps running; `until` its output is as expected; `fails`, a command
 * must fail; `machine`, on an isolated machine with systemd.
 */
export type BlockMode = 'once' | 'start' | 'until' | 'fails' | 'machine'

/** Step of the test of a documents page: a code block to run, or an instruction to the test from an HTML comment. */
export type DocumentStep =
  | {
      readonly kind: 'block'
      readonly heading: string
      readonly mode: BlockMode
      readonly commands: string
      /** Expected output of a code block in the documents, in which `…` stands for any text; `undefined` when the documents show none. */
      readonly output: ExpectedOutput | undefined
      /** Text of an HTML comment in the documents that says why a test cannot run this code block; `undefined` when the test runs it. */
      readonly reason: string | undefined
    }
  | { readonly kind: 'instruction'; readonly text: string }

export type ExpectedOutput = { readonly language: 'text' | 'json'; readonly text: string }

type Fence = { readonly language: string; readonly mode: string; readonly text: string }

const MODES: readonly string[] = ['once', 'start', 'until', 'fails', 'machine'] satisfies readonly BlockMode[]
const PIECE = /^```(\S*) ?(\S*)\n([\s\S]*?)^```$|^<!-- (test|not run): ([\s\S]*?) -->$|^#+ (.+)$/gm

/**
 * Parses a documents page (Markdown) into the steps of its test. `path` names the page in errors. So that no code block is skipped
 * unnoticed, it throws for a block that is neither run nor has a reason. It also throws for an output without commands and a reason without
 * a block.
 */
export function stepsOf(markdown: string, path: string): readonly DocumentStep[] {
  const page = new PageSteps(path)
  for (const [, language, mode = '', text = '', comment, note = '', title] of markdown.matchAll(PIECE)) {
    if (title !== undefined) page.addHeading(title)
    else if (comment !== undefined) page.addComment(comment, note)
    else if (language === 'text' || language === 'json') page.addOutput({ language, text })
    else page.addBlock({ language: language ?? '', mode, text })
  }
  return page.end(markdown.match(/^```/gm)?.length ?? 0)
}

class PageSteps {
  readonly #path: string
  readonly #steps: DocumentStep[] = []
  #heading = ''
  #reason: string | undefined
  #fences = 0

  constructor(path: string) {
    this.#path = path
  }

  addHeading(heading: string): void {
    this.#endReason()
    this.#heading = heading
  }

  addComment(kind: string, note: string): void {
    if (kind === 'not run') this.#reason = note
    else this.#steps.push({ kind: 'instruction', text: note })
  }

  addOutput(output: ExpectedOutput): void {
    const last = this.#steps.at(-1)
    if (last?.kind !== 'block' || last.output !== undefined) throw this.#wrong('an output follows no command')
    this.#steps[this.#steps.length - 1] = { ...last, output }
    this.#fences += 2
  }

  addBlock({ language, mode, text }: Fence): void {
    const wanted = mode === '' ? 'once' : mode
    if (language !== 'sh' && this.#reason === undefined) throw this.#wrong(`a block of "${language}" is not run, and has no reason`)
    if (!isMode(wanted)) throw this.#wrong(`"${mode}" is no way to run a block`)
    this.#steps.push({ kind: 'block', heading: this.#heading, mode: wanted, commands: text, output: undefined, reason: this.#reason })
    this.#reason = undefined
    this.#fences += 2
  }

  /**
   * Returns the list of all test steps, after the last line of the documents page was read. Throws when some code block was not recognised:
   * the page has more opening and closing lines of code blocks (`fences`) than the steps account for.
   */
  end(fences: number): readonly DocumentStep[] {
    this.#endReason()
    if (fences !== this.#fences) throw this.#wrong('a code block is not closed, or indented')
    return this.#steps
  }

  #endReason(): void {
    if (this.#reason !== undefined) throw this.#wrong('a reason not to run a block is followed by none')
  }

  #wrong(problem: string): Error {
    return new Error(`${this.#path}, "${this.#heading}": ${problem}`)
  }
}

const isMode = (text: string): text is BlockMode => MODES.includes(text)

/**
 * Returns true when the printed text equals the output that a documents page shows. Each run of white space counts as one space, and in
 * JSON as none; `…` matches any text.
 */
export function outputFits(printed: string, { language, text }: ExpectedOutput): boolean {
  const space = language === 'json' ? '' : ' '
  const plain = (one: string): string => one.trim().replaceAll(/\s+/g, space)
  const parts = plain(text)
    .split('…')
    .map((part) => part.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`).test(plain(printed))
}
