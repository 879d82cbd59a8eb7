#!/usr/local/bin/perl -w
#
# getmarc.pl -- fetch records from the union catalogue, weekly
# $Id: getmarc.pl,v 1.9 1999/10/02 14:11:09 hb Exp $
#
# Documentation: http://www.union.example/tech/getmarc.html
# Based on an idea in <URL:ftp://ftp.cpan.example/pub/CPAN/scripts/z3950/
# fetch>.
#
use strict;
use LWP::Simple;

my $base  = 'http://www.union.example/cgi-bin/marc';  # was http://gate.union.example:8080/
my $list  = "http://www.union.example/new/list.txt";
my $ftp   = 'ftp://ftp.union.example/incoming/';
my %other = (
    loc => 'z39.50r://z3950.loc.gov:7090/Voyager?0-306-40615-2',
    bl  => q{http://www.bl.example/marc?isbn=%s},
);

my $page = get($list) or die "cannot get $list: see http://www.union.example/status/\n";
for my $id ($page =~ /^(\w+)/mg) {
    my $marc = get("$base?id=$id&format=marc") || next;
    print $marc;
}

__END__

=head1 SEE ALSO

L<http://www.perl.com/CPAN/modules/by-module/MARC/>, marc(5),
and the list L<perl4lib|http://lists.perl.example/showlist.cgi?name=perl4lib>.

=cut
