import { useMutation } from '@tanstack/react-query'
import { sendForm } from '../../api/send-form.ts'
import { failureDetailOf } from '../../api/field-messages.ts'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { FileButton } from '../file-button.tsx'

/**
 * React component: button that chooses a backup file (`.zip`) and uploads it to the hub. It is disabled during the upload; a toast reports
 * success or the error.
 */
export function UploadButton({ onUploaded }: { onUploaded: () => void }) {
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('file', file)
      return sendForm('/api/backups/upload', form)
    },
    onSuccess: () => {
      showToast({ title: words.office_uploaded() })
      onUploaded()
    },
    onError: (error) => showToast({ title: words.office_not_uploaded(), description: failureDetailOf(error), look: 'destructive' }),
  })
  return (
    <FileButton isBusy={upload.isPending} onFile={upload.mutate}>
      {words.office_upload()}
    </FileButton>
  )
}
