import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { GrpcWebClientBase, MethodDescriptor, MethodType } from "grpc-web";
import { currentLocale } from "@/lib/i18n/language";
import type { Attempt, FinalStatus, Handlers } from "@/lib/live/keepStreamOpen";

// "text" (base64) is the only format in which grpc-web delivers a stream message by message.
const client = new GrpcWebClientBase({ format: "text" });

// grpc-web requires message constructors but does not call them when the codecs are given.
const unused = Object as unknown as new (...args: unknown[]) => never;

/** The trailer in which the gateway names the topics that it refuses, separated by commas. */
const REFUSED_TOPICS = "refused-topics";

/** Opens one server stream at the page's own origin. Reports its end exactly once; null stands for OK. */
export function serverStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
  token: string,
  on: Handlers<MessageShape<O>>,
): Attempt {
  const path = `/${method.parent.typeName}/${method.name}`;
  const descriptor = new MethodDescriptor<MessageShape<I>, MessageShape<O>>(
    path,
    MethodType.SERVER_STREAMING,
    unused,
    unused,
    (message: MessageShape<I>) => toBinary(method.input, message),
    (bytes: Uint8Array) => fromBinary(method.output, bytes),
  );
  const metadata = { authorization: `Bearer ${token}`, "accept-language": currentLocale() };
  const stream = client.serverStreaming(path, create(method.input, request), metadata, descriptor);

  // After an error grpc-web also emits status, metadata and sometimes end: only the first of them counts.
  let over = false;
  const finish = (status: FinalStatus | null) => {
    if (over) return;
    over = true;
    on.end(status);
  };
  stream.on("data", (event) => {
    if (!over) on.event(event);
  });
  stream.on("error", ({ code, message, metadata }) => {
    const refused = metadata?.[REFUSED_TOPICS];
    finish({ code, message, ...(refused ? { refusedTopics: refused.split(",") } : {}) });
  });
  stream.on("end", () => finish(null));
  return {
    cancel: () => {
      over = true;
      stream.cancel();
    },
  };
}
