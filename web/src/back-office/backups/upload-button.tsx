import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { sendForm } from '../../api/client.ts'
import { failureDetailOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'

/** React component: button that uploads a backup file (`.zip`) to the hub. */
export function UploadButton({ onUploaded }: { onUploaded: () => void }) {
  const input = useRef<HTMLInputElement>(null)
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
    <>
      <input
        ref={input}
        type="file"
        accept=".zip"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) upload.mutate(file)
          target.value = ''
        }}
      />
      <Button disabled={upload.isPending} onClick={() => input.current?.click()}>
        {upload.isPending ? words.office_working() : words.office_upload()}
      </Button>
    </>
  )
}
