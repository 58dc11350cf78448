import {
  isAsExpression,
  isBindingElement,
  isBinaryExpression,
  isCallExpression,
  isComputedPropertyName,
  isElementAccessExpression,
  isNonNullExpression,
  isNumericLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isSatisfiesExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast'
import { TypeFlags, type Project, type Type } from 'typescript/unstable/sync'

/**
 * Violation of a house rule: a place in the code where a name that may come from a user indexes an ordinary object. A name such as
 * `constructor` would find an inherited property.
 */
export type Finding = { readonly file: string; readonly line: number; readonly code: string }

/**
 * Property (file and name) whose values are constants in the source code, such as the names of the fields of a collection. They do not come
 * from users, so they may index objects.
 */
export type DeclaredName = { readonly file: string; readonly property: string }

type Access = {
  readonly node: Node
  readonly object: Node | undefined
  readonly key: Node | undefined
  /**
   * Arguments of an `Object.assign` call without its target, whose property names may come from a user; `undefined` for other ways to
   * access an object.
   */
  readonly sources?: readonly Node[]
  readonly source: SourceFile
}

/**
 * Returns the places in `files` where a computed name that may come from a user indexes an object, such as `object[name]` or `name in
 * object`. Allowed are numbers, names known to the compiler, names in `declared`, and objects from `nullRecord`.
 */
export function findOutsideNames(project: Project, files: readonly string[], declared: readonly DeclaredName[]): readonly Finding[] {
  const accesses = files.flatMap((file) => {
    const source = project.program.getSourceFile(file)
    return source === undefined ? [] : accessesIn(source)
  })
  const keys = accesses.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const types = new Map(project.checker.getTypeAtLocation(keys).map((type, at) => [keys[at], type]))
  return accesses
    .filter(({ key, object }) => !(key !== undefined && isKnownName(project, types.get(key))) && !isNullRecord(project, object))
    .filter(({ sources }) => sources === undefined || !sources.every((one) => hasKnownNames(project, one)))
    .filter(({ key }) => key === undefined || !isDeclared(project, key, declared))
    .map(({ node, source }) => ({
      file: source.fileName,
      line: source.text.slice(0, node.getStart(source)).split('\n').length,
      code: node.getText(source),
    }))
}

function accessesIn(source: SourceFile): readonly Access[] {
  const found: Access[] = []
  const visit = (node: Node): void => {
    const access = accessOf(node)
    if (access !== undefined) found.push({ ...access, source })
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

function accessOf(node: Node): Omit<Access, 'source'> | undefined {
  if (isElementAccessExpression(node)) return named(node, node.expression, node.argumentExpression)
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) return named(node, node.right, node.left)
  if (isBindingElement(node) && node.propertyName !== undefined && isComputedPropertyName(node.propertyName))
    return named(node, undefined, node.propertyName.expression)
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined
  const { expression: owner, name } = node.expression
  const isAssign = owner.getText() === 'Object' && name.getText() === 'assign'
  return isAssign ? { node, object: node.arguments[0], key: undefined, sources: node.arguments.slice(1) } : undefined
}

function named(node: Node, object: Node | undefined, key: Node): Omit<Access, 'source'> | undefined {
  const bare = withoutAssertions(key)
  return isStringLiteral(bare) || isNumericLiteral(bare) ? undefined : { node, object, key: bare }
}

/**
 * Returns a TypeScript expression without the type assertions and parentheses around it, because an assertion proves nothing about a name.
 */
function withoutAssertions(node: Node): Node {
  const wraps = isAsExpression(node) || isNonNullExpression(node) || isParenthesizedExpression(node) || isSatisfiesExpression(node)
  return wraps ? withoutAssertions(node.expression) : node
}

const KNOWN =
  TypeFlags.NumberLike | TypeFlags.StringLiteral | TypeFlags.ESSymbolLike | TypeFlags.Undefined | TypeFlags.BigIntLike | TypeFlags.Never

function isKnownName(project: Project, type: Type | undefined): boolean {
  if (type === undefined) return false
  if (type.isUnionType()) return type.getTypes().every((one) => isKnownName(project, one))
  if ((type.flags & KNOWN) !== 0) return true
  if ((type.flags & TypeFlags.TemplateLiteral) !== 0) return isNeverInherited(type)
  const constraint = project.checker.getBaseConstraintOfType(type)
  return constraint !== undefined && constraint.id !== type.id && isKnownName(project, constraint)
}

/**
 * Returns true when no text of a template type such as `days.${string}` can equal a name that every object inherits, such as `constructor`.
 * Indexing with it is then safe.
 */
function isNeverInherited(type: Type): boolean {
  const texts = 'texts' in type && Array.isArray(type.texts) ? type.texts.map(String) : []
  const fits = (name: string) =>
    name.startsWith(texts[0] ?? '') && name.endsWith(texts.at(-1) ?? '') && texts.every((text) => name.includes(text))
  return !Object.getOwnPropertyNames(Object.prototype).some(fits)
}

function isNullRecord(project: Project, object: Node | undefined): boolean {
  const type = object && project.checker.getTypeAtLocation(object)
  if (type === undefined) return false
  return project.checker
    .getPropertiesOfType(project.checker.getNonNullableType(type) ?? type)
    .some(({ name }) => name.includes('noPrototype'))
}

/** Returns true when the TypeScript type of an object lists all its property names: it has properties and no index signature. */
function hasKnownNames({ checker }: Project, object: Node): boolean {
  const type = checker.getTypeAtLocation(object)
  if (type === undefined || !type.isObjectType()) return false
  return checker.getPropertiesOfType(type).length > 0 && checker.getIndexInfosOfType(type).length === 0
}

function isDeclared(project: Project, key: Node, declared: readonly DeclaredName[]): boolean {
  const place = isPropertyAccessExpression(key) ? key.name : key
  const symbol = project.checker.getSymbolAtLocation(place)
  return (
    symbol !== undefined &&
    declared.some(({ file, property }) => symbol.name === property && symbol.declarations.some(({ path }) => path.endsWith(`/${file}`)))
  )
}
