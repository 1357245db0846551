import { once } from "node:events";
import { createServer, request } from "node:http";

/**
 * The line of one phone: a proxy for `openPhone`'s option of that name. A browser whose line is cut gets no
 * `offline` event, as on a phone with a bad signal: its requests fail, its streams end, and `navigator.onLine` stays true.
 */
export async function openLine() {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const call = request(incoming.url, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode, reply.headers);
      reply.pipe(outgoing);
    });
    call.on("error", () => outgoing.destroy());
    outgoing.on("close", () => call.destroy());
    incoming.pipe(call);
  });
  const listen = async (port) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = async () => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, "close");
  };
  await listen(0);
  const { port } = server.address();
  return { proxy: { server: `http://127.0.0.1:${port}` }, cut, mend: () => listen(port), close: cut };
}
