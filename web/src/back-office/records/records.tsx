import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import { detailOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { ColumnChoice } from './column-choice.tsx'
import type { CollectionModel } from './collections.ts'
import { DeleteRecordsDialog } from './delete-records-dialog.tsx'
import { FilterFailure } from './filter-failure.tsx'
import { HowToCall } from './how-to-call.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { idOf, recordsQuery, type RecordsPage, type RecordsQuery } from './records-page.ts'
import { RecordsTable } from './records-table.tsx'
import { SaveRecords } from './save-records.tsx'
import { useRecordsView } from './use-records-view.ts'

/** The records of one collection: a page of them, what narrows and orders them, and what can be done. */
export function Records({ model }: { model: CollectionModel }) {
  const view = useRecordsView(model)
  const { query, columns, open, change } = view
  const { data, isError, error, isFetching, refetch } = useQuery(recordsQuery(query))
  const cache = useQueryClient()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const found = isError ? undefined : data
  const chosen = tickedOf(found, ticked)
  const leave = (part: Readonly<Record<string, string>>) => {
    setTicked(new Set())
    change(part)
  }
  const [doomed, setDoomed] = useState<readonly string[]>()
  const renew = () => void cache.invalidateQueries({ queryKey: ['records'] })
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={ownValue(titles, model.name)?.() ?? model.name}>
        <HowToCall query={query} />
        <SaveRecords query={query} columns={columns} />
        <ColumnChoice model={model} columns={columns} onChoose={(next) => change({ columns: next.join(',') })} />
        <Button look="primary" onClick={() => change({ recordId: 'new' }, true)}>
          {words.office_new_record()}
        </Button>
      </PageHeader>
      <FilterField key={query.filter} filter={query.filter} onFilter={(filter) => leave({ filter, page: '' })} />
      <Found
        query={query}
        isEmpty={data?.items.length === 0}
        failure={isError && !isFetching ? error : undefined}
        onRetry={() => void refetch()}
      >
        <RecordsTable
          columns={columns}
          items={data?.items}
          sort={query.sort}
          chosen={chosen}
          onSort={(sort) => leave({ sort, page: '' })}
          onChoose={setTicked}
          onOpen={(id) => change({ recordId: id }, true)}
        />
      </Found>
      <Pager query={query} found={found} onPage={(page) => leave({ page: String(page) })}>
        {chosen.size > 0 && (
          <Button look="danger" onClick={() => setDoomed([...chosen])}>
            {words.office_delete_chosen({ count: chosen.size })}
          </Button>
        )}
      </Pager>
      {open !== undefined && (
        <RecordDialog
          key={open}
          model={model}
          id={open === 'new' ? undefined : open}
          onClose={() => change({ recordId: '' })}
          onSaved={renew}
          onDelete={(id) => setDoomed([id])}
        />
      )}
      {doomed !== undefined && (
        <DeleteRecordsDialog
          collection={model.name}
          ids={doomed}
          onClose={() => setDoomed(undefined)}
          onTried={() => {
            setTicked(new Set())
            change({ recordId: '' })
            renew()
          }}
        />
      )}
    </div>
  )
}

/** Ticks count for rows that can be seen: those of another page or filter are gone. */
const tickedOf = (page: RecordsPage | undefined, ticked: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(page?.items.map(idOf).filter((id) => ticked.has(id)))

const titles: Readonly<Record<string, (() => string) | undefined>> = { users: words.admin_users, systems: words.admin_systems }

type FoundProps = { query: RecordsQuery; isEmpty: boolean; failure: unknown; onRetry: () => void; children: ReactNode }

/** The table, or why there is none. */
function Found({ query, isEmpty, failure, onRetry, children }: FoundProps) {
  if (failure !== undefined) {
    return (
      <FilterFailure query={query}>
        <EmptyState title={words.office_not_loaded()} detail={detailOf(failure)}>
          <Button onClick={onRetry}>{words.retry()}</Button>
        </EmptyState>
      </FilterFailure>
    )
  }
  if (!isEmpty) return children
  return (
    <EmptyState
      title={words.office_no_records()}
      detail={query.filter === '' ? words.office_no_records_detail() : words.office_no_matches()}
    />
  )
}

type PagerProps = { query: RecordsQuery; found: RecordsPage | undefined; onPage: (page: number) => void; children: ReactNode }

function Pager({ query: { page }, found, onPage, children }: PagerProps) {
  const pages = Math.max(found?.totalPages ?? 1, 1)
  return (
    <div className="flex flex-wrap items-center gap-2 text-note text-muted">
      <output className="mr-auto">{found !== undefined && words.office_record_count({ count: found.totalItems })}</output>
      {children}
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {words.office_previous()}
      </Button>
      <span>{words.office_page_of({ page, pages })}</span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {words.office_next()}
      </Button>
    </div>
  )
}

function FilterField({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  return (
    <search>
      <Form className="flex gap-2" onSubmit={(textOf) => onFilter(textOf('filter'))}>
        <SearchField
          name="filter"
          label={words.office_filter()}
          placeholder={'name ~ "web" && created > "2026-01-01"'}
          defaultValue={filter}
          className="h-9 flex-1 font-mono"
        />
        <Button type="submit" className="h-9">
          {words.office_apply()}
        </Button>
      </Form>
    </search>
  )
}
