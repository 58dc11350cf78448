import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { recordsCsv } from './records-csv.ts'
import { fetchAll, type RecordsQuery } from './records-page.ts'

/** React component: buttons that download all records of `query` as a file: CSV with the fields `columns`, or JSON with all fields. */
export function SaveRecords({ query, columns }: { query: RecordsQuery; columns: readonly string[] }) {
  const save = useMutation({
    mutationFn: async (form: 'csv' | 'json') => {
      const records = await fetchAll(query)
      if (form === 'csv') saveFile(recordsCsv(columns, records), `${query.collection}.csv`, 'text/csv')
      else saveFile(JSON.stringify(records, undefined, 2), `${query.collection}.json`, 'application/json')
    },
    onError: (error) => showToast({ title: words.office_not_saved(), description: messageOf(error), look: 'destructive' }),
  })
  return (
    <>
      <Button disabled={save.isPending} onClick={() => save.mutate('csv')}>
        CSV
      </Button>
      <Button disabled={save.isPending} onClick={() => save.mutate('json')}>
        JSON
      </Button>
    </>
  )
}
