import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import * as words from '../../words/messages.js'

/**
 * React component: dialog that shows the user's new recovery codes `codes` (for sign-in without the authenticator app) once; the hub cannot
 * show them again.
 */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Dialog title={words.recovery_codes()} description={words.recovery_codes_about()} onClose={onClose}>
      <ol className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-control bg-sunken p-3 font-mono text-small">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })}>{words.copy()}</Button>
        <Button onClick={() => saveFile(`${text}\n`, 'vedette-recovery-codes.txt', 'text/plain')}>{words.recovery_codes_save()}</Button>
        <Button look="primary" onClick={onClose}>
          {words.recovery_codes_done()}
        </Button>
      </div>
    </Dialog>
  )
}
