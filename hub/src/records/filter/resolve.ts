import type { Collection, Collections, Field } from '../model/collection.ts'
import { keyMay } from '../model/key-scope.ts'
import { functionNamed } from './functions.ts'
import { type Filter, FilterError, type Operand, parseFilter } from './parse.ts'
import { macroValue, modifiedTerm, plainTerm, asValue, requestList, requestValue, type RequestFacts } from './filter-names.ts'
import { always, chain, joinsOfTest, labelTest, type Condition, type Join, type Plan, type JoinStep, type Term } from './plan.ts'

/** Maximum number of relations in one name of a filter: 6 (`system.users.id` has 2). More are rejected with `FilterError`. */
const PATH_DEPTH = 6

export type ResolveContext = {
  readonly collections: Collections
  readonly facts: RequestFacts
  readonly nowMs: number
}

/**
 * Range of names that a filter may use. `everything`: all fields (access rules, admins). `own`: for a client's filter, without hidden
 * fields and other collections' records that the client may not list.
 */
export type Reach = 'everything' | 'own'

export type Resolver = {
  /**
   * Parses a filter expression about the collection and resolves its names. Returns comparisons of `Term`s, nested in `and` and `or`; for
   * `''` a condition that is always true. Throws {@link FilterError}.
   */
  readonly condition: (text: string, reach: Reach) => Condition
  /**
   * Resolves the name of a field, such as the sort key `system.name`, to a term (one side of a comparison in the plan). `reach` is `own`
   * for a client's text, else `everything`. Throws {@link FilterError} for an unknown name.
   */
  readonly term: (name: string, reach: Reach) => Term
  /**
   * Returns the plan of a condition, for conversion to SQL (`toSql`) or a function (`matcher`). Call it after all conditions and terms of
   * this resolver, since it contains the joins of all.
   */
  readonly plan: (condition: Condition) => Plan
}

type Base = { readonly join: number; readonly collection: Collection }

/**
 * Creates a resolver for filters about one collection: it parses them and resolves names such as `system.name` to columns and joins. Equal
 * paths lead to the same related record, except in an access rule and a client's filter, whose joins are separate.
 */
export function resolver(collection: Collection, context: ResolveContext): Resolver {
  const joins: (Join & { readonly key: string })[] = []
  function join(
    parent: number,
    step: JoinStep,
    { key, many, reach }: { readonly key: string; readonly many: boolean; readonly reach: Reach },
  ): number {
    const known = joins.find((one) => one.parent === parent && one.key === key && one.bound === (reach === 'own' && 'collection' in step))
    if (known !== undefined) return known.id
    const inherited = many || chain(joins, parent).some((one) => one.many)
    const bound = reach === 'own' && 'collection' in step
    if (bound && step.collection.rules.list === null)
      throw new FilterError(`Cannot read the filter: "${step.collection.name}" is not open to it`)
    joins.push({ id: joins.length + 1, parent, step, many: inherited, bound, key })
    return joins.length
  }

  function enter(base: Base, name: string, reach: Reach): Base | undefined {
    return enterRelation(base, name, reach) ?? enterBack(base, name, reach)
  }

  function enterRelation(base: Base, name: string, reach: Reach): Base | undefined {
    const field = base.collection.fields.find((one) => one.name === name)
    if (field?.kind !== 'relation') return undefined
    const target = mustFind(field.to)
    const element = field.many === true ? join(base.join, { kind: 'each', field }, { key: `each ${name}`, many: true, reach }) : undefined
    const step: JoinStep = { kind: 'record', collection: target, from: element === undefined ? field : 'element' }
    return { join: join(element ?? base.join, step, { key: `record ${name}`, many: false, reach }), collection: target }
  }

  function enterBack(base: Base, name: string, reach: Reach): Base | undefined {
    const [, from = '', through = ''] = /^(\w+)_via_(\w+)$/.exec(name) ?? []
    const target = find(from)
    const field = target?.fields.find((one) => one.name === through)
    if (target === undefined || field?.kind !== 'relation' || field.to !== base.collection.name) return undefined
    const once = target.unique.some(({ fields }) => fields.length === 1 && fields[0] === through)
    return {
      join: join(base.join, { kind: 'back', collection: target, field }, { key: `back ${name}`, many: !once, reach }),
      collection: target,
    }
  }

  /**
   * Returns the collection with the name that a filter uses, such as `alerts` in `@collection.alerts`. `undefined` if there is none, or if
   * the scope of the request's API key does not allow listing it.
   */
  function find(name: string): Collection | undefined {
    const found = context.collections.find(name)
    const { keyScope } = context.facts
    return found === undefined || keyScope === undefined || keyMay(keyScope, found, 'list') ? found : undefined
  }

  function mustFind(name: string): Collection {
    const found = find(name)
    if (found === undefined) throw new FilterError(`Cannot read the filter: there is no collection "${name}"`)
    return found
  }

  function term(name: string, base: Base, reach: Reach): Term {
    if (name.startsWith('@request.')) {
      const list = requestList(name, context.facts)
      const typed = { type: 'constant', value: requestValue(name, context.facts) } as const
      return { kind: 'constant', typed, ...(list !== undefined && { list }) }
    }
    if (name.startsWith('@collection.')) return collectionTerm(name, reach)
    if (name.startsWith('@')) {
      const value = macroValue(name, context.nowMs)
      if (value === undefined) throw unknown(name)
      return { kind: 'constant', typed: { type: 'constant', value } }
    }
    const [path = '', modifier] = name.split(':', 2)
    return pathTerm(path.split('.'), modifier, base, reach)
  }

  function collectionTerm(name: string, reach: Reach): Term {
    const [, from = '', alias = '', rest = ''] = /^@collection\.(\w+)(:\w+)?\.(.+)$/.exec(name) ?? []
    const target = mustFind(from)
    const base = {
      join: join(0, { kind: 'all', collection: target }, { key: `all ${from}${alias}`, many: true, reach }),
      collection: target,
    }
    return term(rest, base, reach)
  }

  function pathTerm(path: readonly string[], modifier: string | undefined, start: Base, reach: Reach): Term {
    if (path.length > PATH_DEPTH + 1 && start.collection.fields.every(({ name, kind }) => name !== path[0] || kind !== 'json')) {
      throw new FilterError(`Cannot read the filter: "${path.join('.')}" passes more than ${PATH_DEPTH} relations`)
    }
    let base = start
    for (const [index, name] of path.entries()) {
      const rest = path.slice(index + 1)
      const field = base.collection.fields.find((one) => one.name === name)
      if (rest.length === 0 || field?.kind === 'json') return fieldTerm(name, rest, modifier, { base, reach })
      const shortcut = rest.length === 1 && rest[0] === 'id' ? idOf(base, field, modifier) : undefined
      if (shortcut !== undefined) return shortcut
      const next = enter(base, name, reach)
      if (next === undefined) throw unknown(path.join('.'))
      base = next
    }
    throw unknown(path.join('.'))
  }

  /**
   * Resolves the name `relation.id` to the relation field's own value, so that the related record need not be loaded. `undefined` for a
   * field that is no relation, and for a name with a modifier.
   */
  function idOf(base: Base, field: Field | undefined, modifier: string | undefined): Term | undefined {
    if (field?.kind !== 'relation' || modifier !== undefined) return undefined
    return field.many === true ? each(base, field) : { kind: 'column', join: base.join, column: field.name, type: 'text' }
  }

  function each(base: Base, field: Extract<Field, { kind: 'relation' }>): Term {
    return {
      kind: 'element',
      join: join(base.join, { kind: 'each', field }, { key: `each ${field.name}`, many: true, reach: 'everything' }),
    }
  }

  function fieldTerm(
    name: string,
    path: readonly string[],
    modifier: string | undefined,
    { base, reach }: { readonly base: Base; readonly reach: Reach },
  ): Term {
    const field = base.collection.fields.find((one) => one.name === name)
    if (field === undefined) return idTerm(name, modifier, base)
    if (reach === 'own' && field.hidden === true) throw unknown(name)
    // A client can filter by an email address only if its owner makes it visible.
    if (reach === 'own' && field.kind === 'email') return emailTerm(field, modifier, base)
    if (modifier === 'each' && field.kind === 'relation' && field.many === true) return each(base, field)
    return modifier === undefined
      ? plainTerm(field, path, { join: base.join, collection: base.collection })
      : modifiedTerm(field, modifier, base.join)
  }

  function emailTerm(field: Field, modifier: string | undefined, { join: at }: Base): Term {
    const shown = { join: at, column: field.name, shownBy: 'emailVisibility' }
    if (modifier === undefined) return { kind: 'column', type: 'text', ...shown }
    return modifier === 'lower' ? { kind: 'lower', ...shown } : modifiedTerm(field, modifier, at)
  }

  function idTerm(name: string, modifier: string | undefined, base: Base): Term {
    if (name !== 'id') throw unknown(name)
    return modifier === undefined
      ? { kind: 'column', join: base.join, column: 'id', type: 'text' }
      : modifiedTerm(undefined, modifier, base.join)
  }

  function operand(one: Operand, base: Base, reach: Reach): Term {
    if (one.kind === 'call') return callTerm(one, base, reach)
    if (one.kind === 'name') return term(one.text, base, reach)
    if (typeof one.value === 'string' && one.value.includes('\0')) throw new FilterError('Cannot read the filter: no text has U+0000 in it')
    return { kind: 'constant', typed: { type: 'constant', value: asValue(one.value) } }
  }

  function callTerm({ name, values }: Extract<Operand, { kind: 'call' }>, base: Base, reach: Reach): Term {
    const { numbersOnly } = functionNamed(name, values.length)
    if (numbersOnly === true && values.some((one) => one.kind === 'value' && typeof one.value !== 'number'))
      throw new FilterError(`Cannot read the filter: "${name}" takes numbers`)
    const terms = values.map((one) => operand(one, base, reach))
    if (terms.some(({ kind }) => kind === 'labels')) throw new FilterError(`Cannot read the filter: "${name}" takes no tags`)
    return { kind: 'call', name, values: terms, nowMs: context.nowMs }
  }

  function build(filter: Filter, base: Base, reach: Reach): Condition {
    if (filter.kind !== 'compare') return { kind: filter.kind, parts: filter.parts.map((part) => build(part, base, reach)) }
    const left = operand(filter.left, base, reach)
    const right = operand(filter.right, base, reach)
    const { comparison } = filter
    const test = labelTest(left, comparison, right) ?? ({ kind: 'compare', left, comparison, right } as const)
    const involved = [...new Set(joinsOfTest({ ...test, every: [] }))]
    const many = involved.some((id) => chain(joins, id).some((one) => one.many))
    const every = filter.any || !many ? [] : involved.filter((id) => id !== 0)
    const rules = reach === 'own' ? rulesOf(involved) : []
    return rules.length === 0 ? { ...test, every } : { kind: 'and', parts: [...rules, { ...test, every }] }
  }

  /**
   * Returns conditions from the `list` access rules of the collections through which a comparison of a client's filter leads. They are
   * added with `and`, so that the client learns nothing of records that it may not list. The last collection of a path is left out; its
   * records are checked when they are loaded.
   */
  function rulesOf(involved: readonly number[]): readonly Condition[] {
    const bound = new Set(involved.flatMap((id) => chain(joins, id).slice(0, -1)).filter((one) => one.bound))
    return [...bound].flatMap(({ id, step }) => {
      const rule = 'collection' in step ? step.collection.rules.list : ''
      if (!('collection' in step) || rule === '' || rule === null) return []
      return [build(parseFilter(rule), { join: id, collection: step.collection }, 'everything')]
    })
  }

  const root: Base = { join: 0, collection }
  return {
    condition: (text, reach) => (text === '' ? always : build(parseFilter(text), root, reach)),
    term: (name, reach) => term(name, root, reach),
    plan: (condition) => ({ collection, joins, condition }),
  }
}

function unknown(name: string): FilterError {
  return new FilterError(`Cannot read the filter: there is no "${name}"`)
}
