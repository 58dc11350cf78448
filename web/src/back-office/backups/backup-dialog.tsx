import { useMutation } from '@tanstack/react-query'
import { recordOf, numberOf, textOf } from '../../api/json.ts'
import { failureDetailOf } from '../../api/field-messages.ts'
import { formatTime, withYears } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { deleteBackup, downloadBackup, makeBackup, restoreBackup, verifyBackup, type BackupConfirmation } from './backups.ts'

export type BackupTask = { readonly kind: 'make' | 'download' | 'verify' | 'restore' | 'delete'; readonly name: string }

type TaskFacts = {
  readonly title: (name: string) => string
  readonly about: () => string
  readonly button: () => string
  /**
   * True when the dialog asks for the admin's password again. It does so to make, download or restore a backup, but not to verify or delete
   * one.
   */
  readonly needsPassword: boolean
  readonly passphraseHint: (() => string) | undefined
  readonly run: (name: string, confirmed: BackupConfirmation) => Promise<unknown>
}

const facts: Readonly<Record<BackupTask['kind'], TaskFacts>> = {
  make: {
    title: words.office_backup_make,
    about: words.office_backup_make_about,
    button: words.office_backup_make,
    needsPassword: true,
    passphraseHint: words.office_passphrase_make,
    run: (_name, confirmed) => makeBackup(confirmed),
  },
  download: {
    title: (name) => words.office_download_title({ name }),
    about: words.office_download_about,
    button: words.office_backup_download,
    needsPassword: true,
    passphraseHint: undefined,
    run: downloadBackup,
  },
  verify: {
    title: (name) => words.office_verify_title({ name }),
    about: words.office_verify_about,
    button: words.office_backup_verify,
    needsPassword: false,
    passphraseHint: words.office_passphrase_open,
    run: verifyBackup,
  },
  restore: {
    title: (name) => words.office_restore_title({ name }),
    about: words.office_restore_about,
    button: words.office_backup_restore,
    needsPassword: true,
    passphraseHint: words.office_passphrase_open,
    run: restoreBackup,
  },
  delete: {
    title: (name) => words.delete_title({ name }),
    about: words.office_delete_records,
    button: words.delete_action,
    needsPassword: false,
    passphraseHint: undefined,
    run: deleteBackup,
  },
}

type BackupDialogProps = { task: BackupTask; onClose: () => void; onDone: () => void; onRestart: () => void }

/**
 * React component: dialog that explains the action `task` on a backup (make, download, verify, restore or delete) and runs it on
 * confirmation. `onDone` is called when it has ended or failed, `onRestart` after a restore, when the hub restarts.
 */
export function BackupDialog({ task: { kind, name }, onClose, onDone, onRestart }: BackupDialogProps) {
  const { title, about, button, needsPassword, passphraseHint, run } = facts[kind]
  const work = useMutation({
    mutationFn: (confirmed: BackupConfirmation) => run(name, confirmed),
    onSuccess: (answer) => {
      if (kind === 'verify') return
      showToast({ title: kind === 'restore' ? words.office_restarting() : words.office_done() })
      onClose()
      if (kind === 'restore') onRestart()
      if (kind === 'make') showToast({ title: words.office_backup_made({ name: textOf(recordOf(answer)['name']) ?? '' }) })
    },
    onSettled: onDone,
  })
  return (
    <Dialog
      role={kind === 'restore' || kind === 'delete' ? 'alertdialog' : 'dialog'}
      title={title(name)}
      description={about()}

      onClose={onClose}
    >
      <Form
        onSubmit={(textOf) =>
          work.mutate({
            passphrase: passphraseHint === undefined ? '' : textOf('passphrase'),
            password: needsPassword ? textOf('password') : '',
          })
        }
      >
        {passphraseHint !== undefined && (
          <TextField label={words.office_passphrase()} hint={passphraseHint()} name="passphrase" type="password" autoComplete="off" />
        )}
        {needsPassword && (
          <TextField label={words.office_your_password()} name="password" type="password" autoComplete="current-password" required />
        )}
        {work.isError && <FormError message={failureDetailOf(work.error)} />}
        {kind === 'verify' && work.isSuccess && <Verified manifest={work.data} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look={kind === 'restore' || kind === 'delete' ? 'danger' : 'primary'} type="submit" disabled={work.isPending}>
            {work.isPending ? words.office_working() : button()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Verified({ manifest }: { manifest: unknown }) {
  const formats = useFormats()
  const { version, database, madeAtMs } = recordOf(manifest)
  const at = numberOf(madeAtMs)
  return (
    <output className="text-note text-ok">
      {words.office_verified({
        time: at === undefined ? '–' : formatTime(at, 'dayAndTime', withYears(formats)),
        version: textOf(version) ?? '–',
        database: textOf(database) ?? '–',
      })}
    </output>
  )
}
