import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import { formatBytes } from '../../format/bytes.ts'
import { formatTime, withYears } from '../../format/time.ts'
import { useDialog } from '../../navigation/use-dialog.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'
import { BackupDialog, type BackupTask } from './backup-dialog.tsx'
import { backupsQuery, WORKING_MS, type BackupFile, type BackupWork } from './backups.ts'
import { UploadButton } from './upload-button.tsx'

/** React component: page with the hub's backups, buttons for actions on them, and the schedule of automatic backups. */
export function BackupsPage() {
  usePageTitle(words.admin_backups())
  const [isRestarting, setRestarting] = useState(false)
  // A hub that was restored from a backup knows no current session. Frequent polling detects that as soon as it is back.
  const state = useQuery(isRestarting ? { ...backupsQuery, refetchInterval: WORKING_MS } : backupsQuery)
  const cache = useQueryClient()
  const { dialog, item, open, close } = useDialog()
  const task = taskOf(dialog, item, state.data?.backups)
  const renew = () => void cache.invalidateQueries({ queryKey: backupsQuery.queryKey })
  const isBusy = state.data?.working !== undefined
  return (
    <div className="flex max-w-4xl flex-col gap-3.5">
      <PageHeader title={words.admin_backups()}>
        <UploadButton onUploaded={renew} />
        <Button look="primary" disabled={isBusy} onClick={() => open('make')}>
          {words.office_backup_make()}
        </Button>
      </PageHeader>
      {state.data?.working !== undefined && <Progress working={state.data.working} />}
      <Card title={words.admin_backups()} description={words.office_backups_about()}>
        <Awaited placeholder="h-24" query={state}>
          {({ backups }) =>
            backups.length === 0 ? (
              <p className="py-4 text-muted">{words.office_no_backups()}</p>
            ) : (
              <ul className="divide-y divide-border">
                {backups.map((one) => (
                  <Backup key={one.name} backup={one} isBusy={isBusy} onTask={({ kind, name }) => open(kind, name)} />
                ))}
              </ul>
            )
          }
        </Awaited>
      </Card>
      <ScheduleCard />
      {task !== undefined && (
        <BackupDialog key={task.kind} task={task} onClose={close} onDone={renew} onRestart={() => setRestarting(true)} />
      )}
    </div>
  )
}

const backupTasks = ['make', 'download', 'verify', 'restore', 'delete'] as const

/**
 * Returns the action on a backup whose dialog the page's URL opens: `dialog` is the action, such as `restore`, `name` the backup.
 * `undefined` without an action, or without a backup of that name; only `make` needs none.
 */
function taskOf(dialog: string, name: string, backups: readonly BackupFile[] = []): BackupTask | undefined {
  const kind = backupTasks.find((one) => one === dialog)
  if (kind === undefined || (kind !== 'make' && !backups.some((backup) => backup.name === name))) return undefined
  return { kind, name }
}

function Progress({ working: { what, name, share } }: { working: BackupWork }) {
  const kinds: Readonly<Record<string, (() => string) | undefined>> = {
    making: words.office_backup_making,
    checking: words.office_backup_checking,
    restoring: words.office_backup_restoring,
  }
  return (
    <output className="card block px-4 py-3">
      <span className="mb-1.5 block wrap-anywhere">
        {[ownValue(kinds, what)?.() ?? what, name].filter((part) => part !== '').join(' ')}
      </span>
      <progress aria-label={words.office_progress()} className="h-2 w-full" {...(share === undefined ? {} : { value: share })} />
    </output>
  )
}

type BackupProps = { backup: BackupFile; isBusy: boolean; onTask: (task: BackupTask) => void }

function Backup({ backup: { name, bytes, madeAtMs }, isBusy, onTask }: BackupProps) {
  const formats = useFormats()
  const tasks = [
    { kind: 'download', label: words.office_backup_download() },
    { kind: 'verify', label: words.office_backup_verify() },
    { kind: 'restore', label: words.office_backup_restore() },
    { kind: 'delete', label: words.delete_action() },
  ] as const
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-note text-muted">
          {[
            bytes === undefined ? undefined : formatBytes(bytes, formats),
            madeAtMs === undefined ? undefined : formatTime(madeAtMs, 'dayAndTime', withYears(formats)),
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {tasks.map(({ kind, label }) => (
          <Button key={kind} disabled={isBusy} aria-label={`${label}: ${name}`} onClick={() => onTask({ kind, name })}>
            {label}
          </Button>
        ))}
      </div>
    </li>
  )
}

function ScheduleCard() {
  const { query: settings, save } = useStoredSettings('/api/settings')
  const fields: readonly FormField[] = [
    { path: 'backups.cron', label: words.office_cron(), type: 'text', hint: words.office_cron_hint() },
    { path: 'backups.cronMaxKeep', label: words.office_cron_keep(), type: 'number' },
  ]
  return (
    <Card title={words.office_schedule()} description={words.office_schedule_about()}>
      <Awaited placeholder="h-24" query={settings}>
        {(stored) => <SettingsForm fields={fields} stored={stored} save={save} />}
      </Awaited>
    </Card>
  )
}
