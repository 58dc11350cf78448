import { setFlagsFromString } from 'node:v8'
import { runProgram } from './program.ts'
import { endWithStarter } from './runtime/node/end-with-starter.ts'
import { nodeRuntime } from './runtime/node-runtime.ts'
import { hasNohup } from './runtime/node/nohup.ts'

// Set here, because V8 would refuse the compiled code of Node's own modules if these were command line options.
setFlagsFromString('--optimize-for-size')
// V8 lets the heap grow by 9 MiB, which unauthenticated connections would fill with garbage. This starts the collection after a fifth of
// that.
setFlagsFromString('--incremental-marking-hard-trigger=20')
// Optimised code takes 5 to 10 MiB and saves nothing: few functions of an agent run often enough to pay for their compilation.
setFlagsFromString('--no-turbofan')
setFlagsFromString('--no-maglev')
// The WebAssembly of ssh2's cipher: its optimising compiler would start at the thousandth call, after some 30 connections.
setFlagsFromString('--wasm-tiering-budget=2000000000')
setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000')
// `process.exit` waits for V8's threads. One that compiles may wait for the main thread to collect garbage, and then both wait for ever.
// That happened to 17 of 103 agents that were stopped right after their start, eight at once on two cores.
setFlagsFromString('--no-concurrent-sparkplug')
// With an IPC channel, the agent stops when its parent process is gone. `unref`: the listener alone must not keep it running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// oxlint-disable-next-line node/no-process-env -- of this host alone: the native one reads it by itself
endWithStarter(Number(process.env['VEDETTE_ENDS_WITH']))
// oxlint-disable-next-line node/no-process-env -- of this host alone: the native one inherits the ignored signal
if (hasNohup(process.env['_'])) process.on('SIGHUP', () => undefined)
// Writing to a closed terminal fails; that must not end the agent.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
await runProgram(nodeRuntime())
