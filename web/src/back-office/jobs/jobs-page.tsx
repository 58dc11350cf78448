import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownValue } from '@vedette/protocol/own-value'
import { getJson, sendRequest } from '../../api/client.ts'
import { officeKeys } from '../../api/keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { formatTime } from '../../format/time.ts'
import { useDialog } from '../../navigation/use-dialog.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { outcomeText, readJobs, tookText, whenText, type JobItem } from './jobs.ts'

const RUNNING_MS = 1_000
const RESTING_MS = 15_000

const names: Readonly<Record<string, { readonly name: () => string; readonly about: () => string } | undefined>> = {
  backups: { name: words.office_job_backups, about: words.office_job_backups_about },
  deliveries: { name: words.office_job_deliveries, about: words.office_job_deliveries_about },
  heartbeat: { name: words.office_job_heartbeat, about: words.office_job_heartbeat_about },
  history: { name: words.office_job_history, about: words.office_job_history_about },
  logs: { name: words.office_job_logs, about: words.office_job_logs_about },
  sessions: { name: words.office_job_sessions, about: words.office_job_sessions_about },
}

/** React component: page with the scheduled jobs of the hub, their next run, last run and result, and a button to run each. */
export function JobsPage() {
  usePageTitle(words.office_jobs())
  const jobs = useQuery({
    queryKey: officeKeys.jobs,
    queryFn: async ({ signal }) => readJobs(await getJson('/api/vedette/jobs', signal)),
    refetchInterval: ({ state }) => (state.data?.some(({ isRunning }) => isRunning) === true ? RUNNING_MS : RESTING_MS),
  })
  const { dialog, item, open, close } = useDialog()
  const toRun = dialog === 'run' ? jobs.data?.find(({ id }) => id === item) : undefined
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={words.office_jobs()} description={words.office_jobs_about()} />
      <Awaited
        query={jobs}
        placeholder="h-24"
        isEmpty={({ length }) => length === 0}
        empty={<EmptyState title={words.office_jobs_none()} detail={words.office_jobs_about()} />}
      >
        {(found) => (
          <ul className="card divide-y divide-border px-4">
            {found.map((job) => (
              <JobRow key={job.id} job={job} onRun={() => open('run', job.id)} />
            ))}
          </ul>
        )}
      </Awaited>
      {toRun !== undefined && <RunDialog job={toRun} onClose={close} />}
    </div>
  )
}

const nameOf = (id: string): string => ownValue(names, id)?.name() ?? id

function JobRow({ job, onRun }: { job: JobItem; onRun: () => void }) {
  const { id, everySeconds, isRunning, last } = job
  const formats = useFormats()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3">
      <div className="min-w-56 flex-1">
        <h2 className="font-medium">{nameOf(id)}</h2>
        <p className="text-note text-muted">{ownValue(names, id)?.about()}</p>
        <p className="mt-1 text-note">{whenText(job, (ms) => formatTime(ms, 'dayAndTime', formats))}</p>
        <p className={last?.failure === undefined ? 'text-note text-muted' : 'text-note text-crit wrap-anywhere'}>
          {last === undefined
            ? words.office_job_not_yet()
            : words.office_job_last({
                at: formatTime(last.startedMs, 'dayAndTime', formats),
                took: tookText(last.tookMs, formats),
                outcome: outcomeText(last, everySeconds),
              })}
        </p>
      </div>
      <output className="text-note text-muted">{isRunning && words.office_job_running()}</output>
      <Button disabled={isRunning} aria-label={`${words.office_job_run()}: ${nameOf(id)}`} onClick={onRun}>
        {words.office_job_run()}
      </Button>
    </li>
  )
}

function RunDialog({ job: { id, deletes }, onClose }: { job: JobItem; onClose: () => void }) {
  const cache = useQueryClient()
  const run = useMutation({
    mutationFn: () => sendRequest('POST', `/api/crons/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: officeKeys.jobs })
      onClose()
    },
  })
  return (
    <Dialog
      role="alertdialog"
      title={words.office_job_run_title({ name: nameOf(id) })}
      description={deletes ? words.office_job_deletes() : words.office_job_run_about()}

      onClose={onClose}
    >
      {run.isError && <FormError message={messageOf(run.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look={deletes ? 'danger' : 'primary'} disabled={run.isPending} onClick={() => run.mutate()}>
          {words.office_job_run()}
        </Button>
      </div>
    </Dialog>
  )
}
