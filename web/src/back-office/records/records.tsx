import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failureDetailOf } from '../../api/field-messages.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { useDialog } from '../../navigation/use-dialog.ts'
import { Pager } from '../pager.tsx'
import { collectionTitle } from './collection-title.ts'
import { ColumnChoice } from './column-choice.tsx'
import type { CollectionModel } from './collections.ts'
import { FilterFailure } from './filter-failure.tsx'
import { HowToCall } from './how-to-call.tsx'
import { RecordDialogs } from './record-dialogs.tsx'
import { idOf, recordsQuery, type RecordsPage, type RecordsQuery } from './records-page.ts'
import { RecordsTable } from './records-table.tsx'
import { SaveRecords } from './save-records.tsx'
import { useRecordsView } from './use-records-view.ts'

/** React component: back-office page with the records of the collection `model`: filter, table, pagination and actions such as export. */
export function Records({ model }: { model: CollectionModel }) {
  const view = useRecordsView(model)
  const { query, columns, change, openRecord } = view
  const { open } = useDialog()
  const { data, isError, error, isFetching, refetch } = useQuery(recordsQuery(query))
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const found = isError ? undefined : data
  const chosen = tickedOf(found, ticked)
  const leave = (part: Parameters<typeof change>[0]) => {
    setTicked(new Set())
    change(part)
  }
  const [tickedToDelete, setTickedToDelete] = useState<readonly string[]>([])
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={collectionTitle(model.name)}>
        <HowToCall query={query} />
        <SaveRecords query={query} columns={columns} />
        <ColumnChoice model={model} columns={columns} onChoose={view.chooseColumns} />
        <Button look="primary" onClick={() => openRecord('new')}>
          {words.office_new_record()}
        </Button>
      </PageHeader>
      <FilterField key={query.filter} filter={query.filter} onFilter={(filter) => leave({ filter, page: 1 })} />
      <RecordsResult
        query={query}
        isEmpty={data?.items.length === 0}
        failure={isError && !isFetching ? error : undefined}
        onRetry={() => void refetch()}
      >
        <RecordsTable
          columns={columns}
          items={view.isReady ? data?.items : undefined}
          sort={query.sort}
          chosen={chosen}
          onSort={(sort) => leave({ sort, page: 1 })}
          onChoose={setTicked}
          onOpen={openRecord}
        />
      </RecordsResult>
      <Pager page={query.page} pages={found?.totalPages} onPage={(page) => leave({ page })}>
        <Chosen
          found={found}
          count={chosen.size}
          onDelete={() => {
            setTickedToDelete([...chosen])
            open('delete-ticked')
          }}
        />
      </Pager>
      <RecordDialogs model={model} view={view} tickedToDelete={tickedToDelete} onTried={() => setTicked(new Set())} />
    </div>
  )
}

/**
 * Returns the set of those selected record ids (`ticked`) that are on the current page, because only these may be deleted. Ids selected on
 * another page or with another filter are left out.
 */
const tickedOf = (page: RecordsPage | undefined, ticked: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(page?.items.map(idOf).filter((id) => ticked.has(id)))

type ChosenProps = { found: RecordsPage | undefined; count: number; onDelete: () => void }

const Chosen = ({ found, count, onDelete }: ChosenProps) => (
  <>
    <output className="mr-auto">{found !== undefined && words.office_record_count({ count: found.totalItems })}</output>
    {count > 0 && (
      <Button look="danger" onClick={onDelete}>
        {words.office_delete_chosen({ count })}
      </Button>
    )}
  </>
)

type RecordsResultProps = { query: RecordsQuery; isEmpty: boolean; failure: unknown; onRetry: () => void; children: ReactNode }

/**
 * React component: result of a query of records. It renders its children (the table), the error `failure` with a retry button, or with
 * `isEmpty` a note that nothing matches.
 */
function RecordsResult({ query, isEmpty, failure, onRetry, children }: RecordsResultProps) {
  if (failure !== undefined) {
    return (
      <FilterFailure query={query}>
        <EmptyState title={words.office_not_loaded()} detail={failureDetailOf(failure)}>
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
