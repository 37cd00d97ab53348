// oscpack as its own examples use it.
//
//   osc_oscpack receive PORT COUNT      as momu-bench receive
//   osc_oscpack send PORT COUNT RATE    as fast as it can
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "oscpack/ip/UdpSocket.h"
#include "oscpack/ip/TimerListener.h"
#include "oscpack/osc/OscOutboundPacketStream.h"
#include "oscpack/osc/OscPacketListener.h"

static long now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

class Counter : public osc::OscPacketListener, public TimerListener {
 public:
  SocketReceiveMultiplexer *multiplexer = nullptr;
  long wanted = 0, came = 0, begun = 0, before = 0, last = 0;

  void TimerExpired() override {
    if (came > 0 && now(CLOCK_MONOTONIC) - last > 500000000) multiplexer->Break();
  }

 protected:
  void ProcessMessage(const osc::ReceivedMessage &message, const IpEndpointName &) override {
    if (std::strcmp(message.AddressPattern(), "/drum/hit") != 0) return;
    osc::ReceivedMessageArgumentStream values = message.ArgumentStream();
    osc::int32 index;
    float force;
    const char *text;
    values >> index >> force >> text >> osc::EndMessage;
    last = now(CLOCK_MONOTONIC);
    if (came++ == 0) {
      begun = last;
      before = now(CLOCK_PROCESS_CPUTIME_ID);
    }
    if (came >= wanted) multiplexer->AsynchronousBreak();
  }
};

int main(int count, char **words) {
  if (count == 4 && !std::strcmp(words[1], "receive")) {
    Counter counter;
    SocketReceiveMultiplexer multiplexer;
    counter.multiplexer = &multiplexer;
    counter.wanted = std::atol(words[3]);
    UdpSocket socket;
    socket.Bind(IpEndpointName(IpEndpointName::ANY_ADDRESS, std::atoi(words[2])));
    multiplexer.AttachSocketListener(&socket, &counter);
    multiplexer.AttachPeriodicTimerListener(100, &counter);
    std::puts("ready");
    std::fflush(stdout);
    multiplexer.Run();
    std::printf("%ld %ld %ld\n", counter.came, counter.last - counter.begun,
                now(CLOCK_PROCESS_CPUTIME_ID) - counter.before);
  } else if (count == 5 && !std::strcmp(words[1], "send")) {
    UdpTransmitSocket socket(IpEndpointName("127.0.0.1", std::atoi(words[2])));
    char buffer[256];
    for (long index = 0; index < std::atol(words[3]); index++) {
      osc::OutboundPacketStream packet(buffer, sizeof buffer);
      packet << osc::BeginMessage("/drum/hit") << static_cast<osc::int32>(index) << 0.8f << "left" << osc::EndMessage;
      socket.Send(packet.Data(), packet.Size());
    }
  } else {
    return 2;
  }
  return 0;
}
