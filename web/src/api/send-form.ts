import { sendRequest } from './client.ts'

const UPLOAD_DEADLINE_MS = 3_600_000

/** Uploads a form with a file by POST to a path of the hub. Resolves to the parsed JSON response. The timeout is one hour. */
export const sendForm = (path: string, form: FormData): Promise<unknown> =>
  sendRequest('POST', path, form, { deadlineMs: UPLOAD_DEADLINE_MS })
