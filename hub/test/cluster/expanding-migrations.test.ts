import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { thisProgram, type Migration } from '../../src/platform/db/migrations/all-migrations.ts'
import { openPostgres } from '../../src/platform/db/postgres/postgres.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

/** Number of migrations of the first release. All released hubs have them. */
const FIRST_RELEASE = 18

type Column = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly standard: string | null }
type Tables = {
  readonly columns: ReadonlyMap<string, readonly Column[]>
  /** Definitions of the unique indexes and of the constraints of each table. */
  readonly limits: ReadonlyMap<string, readonly string[]>
}

async function readTables({ kysely }: Database): Promise<Tables> {
  const columns = await sql<Column & { readonly table: string }>`select c.relname as table, a.attname as name,
      format_type(a.atttypid, a.atttypmod) || ' ' || a.attcollation as type, a.attnotnull as "isRequired", pg_get_expr(d.adbin, d.adrelid) as standard
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`.execute(
    kysely,
  )
  const limits = await sql<{ readonly table: string; readonly text: string }>`
    select tablename as table, indexdef as text from pg_indexes where schemaname = current_schema() and indexdef like 'CREATE UNIQUE%'
    union all
    select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = current_schema()::regnamespace and contype in ('c', 'f', 'x')`.execute(kysely)
  const texts = Map.groupBy(limits.rows, ({ table }) => table).entries()
  return {
    columns: Map.groupBy(columns.rows, ({ table }) => table),
    limits: new Map(texts.map(([table, rows]) => [table, rows.map(({ text }) => text).toSorted()])),
  }
}

/** Returns the schema changes that could break a program without the migration. */
function problemsOf(before: Tables, after: Tables): readonly string[] {
  return [...before.columns].flatMap(([table, columns]) => {
    const now = new Map((after.columns.get(table) ?? []).map((column) => [column.name, column]))
    const changed = columns.filter(({ name, type, isRequired, standard }) => {
      const same = now.get(name)
      now.delete(name)
      return same === undefined || same.type !== type || same.standard !== standard || (same.isRequired && !isRequired)
    })
    const unfilled = [...now.values()].filter(({ isRequired, standard }) => isRequired && standard === null)
    const isLimited = JSON.stringify(before.limits.get(table)) !== JSON.stringify(after.limits.get(table))
    return [...[...changed, ...unfilled].map(({ name }) => `${table}.${name}`).toSorted(), ...(isLimited ? [`limits of ${table}`] : [])]
  })
}

/** Returns a database after this number of migrations, and a function that runs one more migration. */
async function openMigrated(stack: AsyncDisposableStack, count: number) {
  assert.ok(postgres)
  const { at } = stack.use(await postgres.place())
  assert.ok('url' in at)
  const database = stack.adopt(openPostgres(at, inProcessEventBus(), silentLog), ({ close }) => close())
  await migrate(database, silentLog, { program: { ...thisProgram, migrations: thisProgram.migrations.slice(0, count) } })
  return {
    problems: async (migration: Migration): Promise<readonly string[]> => {
      const before = await readTables(database)
      await database.write(({ sql: transaction }) => migration(transaction, 'postgres'))
      return problemsOf(before, await readTables(database))
    },
  }
}

test('every migration since the first release only expands the schema, or is listed in contractions', async () => {
  await using stack = new AsyncDisposableStack()
  const { problems } = await openMigrated(stack, FIRST_RELEASE)
  for (const [index, migration] of thisProgram.migrations.slice(FIRST_RELEASE).entries()) {
    const number = FIRST_RELEASE + index + 1
    const found = await problems(migration)
    const isListed = thisProgram.contractions.some((one) => one.migration === number)
    assert.deepEqual(isListed ? [] : found, [], `migration ${number}: list it in contractions, or only add`)
  }
})

test('a migration that removes or restricts something is reported', async () => {
  await using stack = new AsyncDisposableStack()
  const { problems } = await openMigrated(stack, FIRST_RELEASE)
  for (const [statement, expected] of [
    ['alter table hubs add column extra integer not null default 0', []],
    ['alter table hubs add column other text', []],
    ['create table others (id text primary key)', []],
    ['create index hubs_seen on hubs (seen_at)', []],
    ['alter table hubs add column needed integer not null', ['hubs.needed']],
    ['alter table hubs drop column needed', ['hubs.needed']],
    ['alter table hubs rename column other to another', ['hubs.other']],
    ['alter table hubs alter column shares type bigint', ['hubs.shares']],
    ['alter table hubs alter column draining drop default', ['hubs.draining']],
    ['alter table hubs alter column another set not null', ['hubs.another']],
    ['create unique index hubs_name on hubs (name)', ['limits of hubs']],
    ['alter table hubs add check (shares < 2)', ['limits of hubs']],
    ['drop table duties', ['duties.hub', 'duties.name', 'duties.until', 'limits of duties']],
  ] as const)
    assert.deepEqual(await problems(async (transaction) => void (await sql.raw(statement).execute(transaction))), expected, statement)
})
