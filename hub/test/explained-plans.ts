import { Client } from 'pg'

export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** A statement that was sent, and the nodes of its plan. */
export type ExplainedPlan = { readonly text: string; readonly nodes: readonly PlanNode[] }

type SentCalls = readonly { readonly arguments: readonly unknown[] }[]

/** The statements among recorded calls of `Client.prototype.query` whose text matches, each with its last parameters. */
export function statementsOf(calls: SentCalls, pattern: RegExp): ReadonlyMap<string, readonly unknown[]> {
  const statements = new Map<string, readonly unknown[]>()
  for (const call of calls) {
    const [text, values] = call.arguments // the hub gives a text and its parameters
    if (typeof text === 'string' && pattern.test(text)) statements.set(text, Array.isArray(values) ? values : [])
  }
  return statements
}

/** Forbids the plans that PostgreSQL rightly makes for the small tables of a test. */
const AS_IF_LARGE = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

/** Plans as PostgreSQL makes them for large tables. `settings`: other SQL than that before the plans are made. */
export async function explainedPlans(
  url: string,
  statements: ReadonlyMap<string, readonly unknown[]>,
  settings = AS_IF_LARGE,
): Promise<readonly ExplainedPlan[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(settings)
    const plans: ExplainedPlan[] = []
    for (const [text, values] of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(`explain (format json) ${text}`, [
        ...values,
      ])
      const [root] = rows[0]?.['QUERY PLAN'] ?? []
      if (root === undefined) throw new Error(`PostgreSQL explains no plan of: ${text}`)
      plans.push({ text, nodes: nodesOf(root.Plan) })
    }
    return plans
  } finally {
    await client.end()
  }
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
