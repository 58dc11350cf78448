import {
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isConditionalExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is'
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast'

/**
 * Message in the source code that an operator, API client or user of the dashboard may see: log entry, error, rejected field or setting, or
 * dashboard text about a problem.
 */
export type Message = {
  /** Text of the message in the source code, with `{name}` in place of each inserted value. */
  readonly text: string
  /**
   * Kind of the message. For a log entry it is `debug`, `info`, `warn` or `error`, for an error the name of its class. `field` and
   * `setting` are rejected fields and settings, `dashboard` a text of the dashboard.
   */
  readonly kind: string
  /** Path of the source file, relative to the repository, in which the message occurs. */
  readonly file: string
}

/**
 * Map from the name of a function that creates an error, such as `notFound`, to the name of the error's class, which becomes the `kind` of
 * its messages.
 */
const errorMakers: ReadonlyMap<string, string> = new Map([
  ['badRequest', 'RecordError'],
  ['notFound', 'RecordError'],
  ['forbidden', 'RecordError'],
])

/**
 * Regular expression that matches texts by which a schema rejects the value of a field, such as `Must be at least 1.` It tells them apart
 * from other texts in the source code.
 */
const FIELD_PROBLEM = /^(?:Must|Cannot|Is|Has|Too|Only|Not) .*\.$/

/**
 * Returns the log level that a `log.change` call in source code passes as second argument (`text`), such as `warn`. If that is no constant,
 * the level is computed at run time, and `warn` is returned.
 */
const levelOf = (text = 'warn'): string => (LEVELS.has(text) ? text : 'warn')

/**
 * Set of names of methods, with their objects, whose argument is a message about a wrong setting, option or command, such as
 * `reader.refuse`.
 */
const SETTING_CALLS: ReadonlySet<string> = new Set(['reader.refuse', 'reader.remark', 'problems.push'])

/** Set of the names of the levels of log entries: debug, info, warn, error. */
export const LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error'])

/** Returns the names of the error classes at the top level of a source file, detected by the name of their base class. */
export function errorClassesIn(source: SourceFile): readonly string[] {
  const found: string[] = []
  source.forEachChild((node) => {
    if (
      isClassDeclaration(node) &&
      node.heritageClauses?.some((clause) => /(?:Error|Failure|Refused|Channel)\b/.test(clause.getText(source))) === true
    )
      found.push(node.name?.getText(source) ?? '')
  })
  return found
}

/**
 * Returns the messages for users (log entries, errors, rejected fields and settings) in a parsed source file, each with text, kind and
 * `file`. `errorClasses` are the names of classes whose constructors take a message.
 */
export function messagesIn(source: SourceFile, file: string, errorClasses: ReadonlySet<string>): readonly Message[] {
  const found: Message[] = []
  const add = (kind: string, texts: readonly string[]): void => {
    for (const text of texts) if (/\p{L}{2}.* /u.test(text) || /^\p{Lu}\S*\.$/u.test(text)) found.push({ text, kind, file })
  }
  const visit = (node: Node, className: string): void => {
    if (isNewExpression(node) && isIdentifier(node.expression) && errorClasses.has(node.expression.text))
      add(node.expression.text, messageTexts((node.arguments ?? []).slice(CODED.has(node.expression.text) ? 1 : 0), source))
    else if (isCallExpression(node)) addCall(node.expression, node.arguments, className)
    else if (isObjectLiteralExpression(node)) add('field', fieldTexts(node, source))
    const inner = isClassDeclaration(node) ? (node.name?.getText(source) ?? '') : className
    node.forEachChild((child) => visit(child, inner))
  }
  const addCall = (called: Node, args: readonly Node[], className: string): void => {
    if (called.kind === SyntaxKind.SuperKeyword && errorClasses.has(className)) add(className, messageTexts(args, source))
    if (isIdentifier(called)) {
      const made = errorMakers.get(called.text)
      if (made !== undefined) add(made, messageTexts(args, source))
    }
    if (isPropertyAccessExpression(called)) addMethodCall(called.expression.getText(source), called.name.getText(source), args)
  }
  const addMethodCall = (owner: string, name: string, args: readonly Node[]): void => {
    const isLog = /(?:^|\.)log$|^logOf\(/.test(owner)
    if (isLog && LEVELS.has(name)) add(name, textsOf(args[0], source))
    else if (isLog && name === 'change') add(levelOf(textsOf(args[1], source)[0]), textsOf(args[2], source))
    else if (SETTING_CALLS.has(`${owner}.${name}`)) add('setting', textsOf(args[0], source))
    else
      add(
        'field',
        args.flatMap((one) => textsOf(one, source)).filter((text) => FIELD_PROBLEM.test(text)),
      )
  }
  visit(source, '')
  return found
}

/**
 * Returns the message texts in an object literal of the source code: the values of its properties `message` and `invalid`. `invalid` is a
 * route's message about an invalid request.
 */
function fieldTexts(node: Node, source: SourceFile): readonly string[] {
  const texts: string[] = []
  node.forEachChild((property) => {
    if (isPropertyAssignment(property) && ['message', 'invalid'].includes(property.name.getText(source)))
      texts.push(...textsOf(property.initializer, source))
  })
  return texts
}

/** Set of the names of error classes whose constructor takes a code, not a message, as its first argument. */
const CODED: ReadonlySet<string> = new Set(['AgentUnavailable'])

/**
 * Returns the list of possible texts of an error's message: the last argument with a text that has a space or ends with a period. A
 * condition gives several texts. Empty when no argument fits.
 */
function messageTexts(args: readonly Node[], source: SourceFile): readonly string[] {
  for (const argument of args.toReversed()) {
    const texts = textsOf(argument, source)
    if (texts.some((text) => text.includes(' ') || text.endsWith('.'))) return texts
  }
  return []
}

/**
 * Returns the texts that an expression in source code can evaluate to: both branches of a condition, templates with `{name}` placeholders.
 * In a sum, `…` stands for an unknown part. Otherwise unknown expressions give no text.
 */
function textsOf(node: Node | undefined, source: SourceFile): readonly string[] {
  if (node === undefined) return []
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (isTemplateExpression(node)) return [templateText(node, source)]
  if (isParenthesizedExpression(node)) return textsOf(node.expression, source)
  if (isConditionalExpression(node)) return [...textsOf(node.whenTrue, source), ...textsOf(node.whenFalse, source)]
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken) {
    const [left = '…'] = textsOf(node.left, source)
    const [right = '…'] = textsOf(node.right, source)
    return [left + right]
  }
  return []
}

type Template = {
  readonly head: { readonly text: string }
  readonly templateSpans: readonly { readonly expression: Node; readonly literal: { readonly text: string } }[]
}

const templateText = ({ head, templateSpans }: Template, source: SourceFile): string =>
  head.text + templateSpans.map(({ expression, literal }) => `{${placeholder(expression.getText(source))}}${literal.text}`).join('')

/**
 * Returns the placeholder name for an expression inserted into a message template, its last name: `message` for `${error.message}`. `…`
 * when it has none.
 */
const placeholder = (code: string): string => /^[\w.?]*?(\w+)$/.exec(code)?.[1] ?? /(\w+)\(/.exec(code)?.[1] ?? '…'
