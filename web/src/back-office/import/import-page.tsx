import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureDetailOf } from '../../api/field-messages.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { FileButton } from '../file-button.tsx'
import { discardImport, importQuery, uploadForeignBackup, type ImportState } from './imports.ts'
import { RehearsalForm } from './rehearsal-form.tsx'

/**
 * React component: admin page for taking over another hub's data: upload of its backup, result of the dry run, confirmation, and progress.
 */
export function ImportPage() {
  usePageTitle(words.office_import())
  const state = useQuery(importQuery)
  const cache = useQueryClient()
  const renew = () => void cache.invalidateQueries({ queryKey: importQuery.queryKey })
  return (
    <div className="flex max-w-4xl flex-col gap-3.5">
      <PageHeader title={words.office_import()} />
      <Awaited placeholder="h-40" query={state}>
        {(data) => <ImportStep state={data} onDone={renew} />}
      </Awaited>
    </div>
  )
}

function ImportStep({ state, onDone }: { state: ImportState; onDone: () => void }) {
  switch (state.kind) {
    case 'reading':
      return <Progress text={words.office_import_reading()} share={undefined} />
    case 'importing':
      return <Progress text={words.office_import_running()} share={state.share} />
    case 'ready':
      return <RehearsalForm rehearsal={state.rehearsal} onDone={onDone} />
    case 'done':
      return <Done onDone={onDone} />
    default:
      return <Upload failure={state.kind === 'failed' ? state.reason : undefined} onDone={onDone} />
  }
}

function Upload({ failure, onDone }: { failure: string | undefined; onDone: () => void }) {
  const upload = useMutation({ mutationFn: uploadForeignBackup, onSettled: onDone })
  const message = upload.isError ? failureDetailOf(upload.error) : failure
  return (
    <Card title={words.office_import_from()} description={words.office_import_about()}>
      <div className="flex flex-col items-start gap-3">
        <p className="text-note text-muted">{words.office_import_large()}</p>
        {message !== undefined && <FormError message={message} />}
        <FileButton look="primary" isBusy={upload.isPending} onFile={upload.mutate}>
          {words.office_import_choose()}
        </FileButton>
      </div>
    </Card>
  )
}

function Progress({ text, share }: { text: string; share: number | undefined }) {
  return (
    <output className="card block px-4 py-3">
      <span className="mb-1.5 block">{text}</span>
      <progress aria-label={words.office_progress()} className="h-2 w-full" {...(share === undefined ? {} : { value: share })} />
    </output>
  )
}

function Done({ onDone }: { onDone: () => void }) {
  const discard = useMutation({ mutationFn: discardImport, onSettled: onDone })
  return (
    <Card title={words.office_import_done()} description={words.office_import_done_about()}>
      <Button disabled={discard.isPending} onClick={() => discard.mutate()}>
        {words.office_import_another()}
      </Button>
    </Card>
  )
}
